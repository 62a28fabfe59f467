import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildWords, watchBuild } from './next-host.ts';

test('pages that are replaced or removed under a server are noticed, and the words say what to do', () => {
	const root = mkdtempSync(join(tmpdir(), 'signalbox-build-'));
	onTestFinished(() => rmSync(root, { recursive: true, force: true }));
	mkdirSync(join(root, '.next'));
	const writeBuildId = (id: string) => writeFileSync(join(root, '.next/BUILD_ID'), id);
	writeFileSync(join(root, 'package.json'), '{"version":"1.0.0"}');
	writeBuildId('one');
	const stateOf = watchBuild(root);
	expect(buildWords(stateOf(), 'Restart.')).toBeNull();
	writeBuildId('two');
	expect(buildWords(stateOf(), 'Restart.')).toMatch(/was replaced while it ran.* Restart\.$/);
	writeBuildId('one');
	expect(stateOf()).toBe('same');
	rmSync(root, { recursive: true });
	expect(buildWords(stateOf(), 'Restart.')).toMatch(/was removed while it ran.* Install Signalbox again\. Restart\.$/);
});
