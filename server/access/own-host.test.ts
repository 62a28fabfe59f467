import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOwnHost, openOwnHost } from './own-host.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'signalbox-host-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('a home has an address of its own, the same for good, in a file that only its owner reads', () => {
	expect(findOwnHost(home)).toBe('signalbox.localhost');
	const host = openOwnHost(home);
	expect(host).toMatch(/^[a-z2-7]{20}\.signalbox\.localhost$/);
	expect([openOwnHost(home), findOwnHost(home)]).toEqual([host, host]);
	expect(statSync(join(home, 'host-label')).mode & 0o777).toBe(0o600);
	rmSync(join(home, 'host-label'));
	expect(openOwnHost(home)).not.toBe(host);
});

test('a key left blank by a power cut is made again; any other content is left alone', () => {
	const path = join(home, 'host-label');
	writeFileSync(path, '\0\0');
	expect(openOwnHost(home)).toMatch(/^[a-z2-7]{20}\./);
	writeFileSync(path, 'evil.example\n');
	expect(() => openOwnHost(home)).toThrow(/contains no label of its address: move it away/);
	expect(findOwnHost(home)).toBe('signalbox.localhost');
});
