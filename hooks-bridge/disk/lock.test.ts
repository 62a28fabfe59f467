import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withLock } from './lock.ts';
import { identityOf } from './process-identity.ts';
import { readState, writeState } from './write-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
const counter = join(folder, 'counter.cjs');
beforeAll(async () => {
	const contents = `
		import { withLock } from './lock.ts';
		import { readState, writeState } from './write-files.ts';
		const [path, times] = process.argv.slice(2);
		const count = () => writeState(path, Number(readState(path) ?? 0) + 1);
		for (let done = 0; done < Number(times); ) if (withLock(path + '.lock', count).held) done += 1;`;
	await build({
		stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
		bundle: true,
		platform: 'node',
		format: 'cjs',
		outfile: counter,
		logLevel: 'silent',
	});
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('withLock', () => {
	it('waits no longer when the clock is set back meanwhile', () => {
		const path = join(folder, 'clock.json.lock');
		const looked = vi.spyOn(Date, 'now');
		try {
			const inner = withLock(path, () => {
				let now = 1e12;
				looked.mockImplementation(() => {
					now += looked.mock.calls.length > 200 ? 1e12 : -3_600_000;
					return now;
				});
				return withLock(path, () => 'both', 50);
			});
			expect(inner).toEqual({ held: true, value: { held: false } });
			expect(looked.mock.calls.length).toBeLessThan(100);
		} finally {
			looked.mockRestore();
		}
	});

	it('lets several processes count together without losing one', async () => {
		const path = join(folder, 'count.json');
		const workers = [1, 2, 3].map(() => fork(counter, [path, '40']));
		const ends = await Promise.all(workers.map((worker) => once(worker, 'exit')));
		expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
		expect(readState(path)).toBe(120);
		expect(readdirSync(folder).filter((name) => name.startsWith('count.json.'))).toEqual([]);
	});

	it('takes the lock over from a dead holder and from one whose pid is used by another now', () => {
		const path = join(folder, 'dead');
		writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, start: '1', nonce: 'a' }));
		expect(withLock(path, () => 'mine')).toEqual({ held: true, value: 'mine' });
		writeFileSync(path, JSON.stringify({ pid: process.pid, start: '1', nonce: 'b' }));
		expect(withLock(path, () => 'mine')).toEqual({ held: true, value: 'mine' });
		writeFileSync(path, 'no lock of ours');
		expect(withLock(path, () => 'mine')).toEqual({ held: true, value: 'mine' });
		expect(existsSync(path)).toBe(false);
	});

	it('waits for a live holder, and takes over when it is five seconds old', () => {
		const path = join(folder, 'live');
		writeFileSync(path, JSON.stringify({ ...identityOf(process.pid), nonce: 'other' }));
		expect(withLock(path, () => 'never', 50)).toEqual({ held: false });
		const past = Date.now() / 1000 - 6;
		utimesSync(path, past, past);
		expect(withLock(path, () => 'mine', 50)).toEqual({ held: true, value: 'mine' });
	});

	it('gives the lock back when the work fails', () => {
		const path = join(folder, 'failing');
		const fail = () => {
			throw new Error('no');
		};
		expect(() => withLock(path, fail)).toThrow('no');
		expect(existsSync(path)).toBe(false);
	});
});

describe('state files', () => {
	it('replaces the file whole and reads damage as nothing', () => {
		const path = join(folder, 'deep', 'state.json');
		writeState(path, { a: 1 });
		expect(readState(path)).toEqual({ a: 1 });
		expect(() => writeState(path, { a: 1n })).toThrow();
		expect(readState(path)).toEqual({ a: 1 });
		writeFileSync(path, '{"a":');
		expect(readState(path)).toBeNull();
		expect(readdirSync(join(folder, 'deep'))).toEqual(['state.json']);
	});
});
