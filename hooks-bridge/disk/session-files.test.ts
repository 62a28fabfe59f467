import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { confirm } from '#lib/workflow/observation.ts';
import { identityOf } from './process-identity.ts';
import { createSessionFiles } from './session-files.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-files-'));
	mkdirSync(join(home, 'sessions/s1'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const path = () => join(home, 'sessions/s1/observations.jsonl');
const sighting = (tag: string) => (known: Observation[]) =>
	confirm(
		known,
		{ type: 'tool_preferences', tag, trigger: 'a', action: 'b' },
		{ at: '2026-01-01T00:00:00Z', freshId: tag },
	);
const kept = (): string[] => {
	try {
		return readFileSync(path(), 'utf8').match(/"id":"\w+"/g) ?? [];
	} catch {
		return [];
	}
};

it('what was seen while another process held the lock is kept as soon as the lock is free', async () => {
	const files = createSessionFiles(home, 1);
	writeFileSync(`${path()}.lock`, JSON.stringify({ ...identityOf(process.pid), nonce: 'somebody' }));
	expect(files.observe('s1', sighting('first'))).toBe(false);
	expect(files.observe('s1', sighting('second'))).toBe(false);
	expect(kept()).toEqual([]);
	rmSync(`${path()}.lock`);
	await expect.poll(kept).toEqual(['"id":"first"', '"id":"second"']);
	expect(files.observe('s1', sighting('third'))).toBe(true);
	expect(kept()).toHaveLength(3);
});

it('what waits for the lock of a session that is gone is forgotten', () => {
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	const files = createSessionFiles(home, 1);
	writeFileSync(`${path()}.lock`, JSON.stringify({ ...identityOf(process.pid), nonce: 'somebody' }));
	files.observe('s1', sighting('first'));
	rmSync(join(home, 'sessions/s1'), { recursive: true });
	vi.runAllTimers();
	vi.useRealTimers();
	mkdirSync(join(home, 'sessions/s1'));
	expect(files.observe('s1', sighting('second'))).toBe(true);
	expect(kept()).toEqual(['"id":"second"']);
});

it('a change that changes nothing writes nothing', () => {
	expect(createSessionFiles(home, 1).observe('s1', () => null)).toBe(true);
	expect(kept()).toEqual([]);
});
