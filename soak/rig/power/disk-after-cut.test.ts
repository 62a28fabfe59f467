import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '#e2e/rig/storm-random.ts';
import { type DiskState, writeDiskAfterCut } from './disk-after-cut.ts';
import type { DiskRecord } from './disk-log.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'power-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Records in their order, ten bytes each; a sync holds what stands before it. */
function recordsOf(...partial: ({ kind: DiskRecord['kind'] } & Partial<DiskRecord>)[]): DiskRecord[] {
	const rest = { ms: 0, inode: 0, path: '', to: '', data: Buffer.alloc(0) };
	return partial.map((record, nth) => ({
		...rest,
		at: record.kind === 'sync' ? nth * 10 : 0,
		offset: nth * 10,
		...record,
	}));
}

const random = seededRandom(7);
let disks = 0;

function diskOf(records: readonly DiskRecord[], diskState: DiskState) {
	disks += 1;
	const target = join(folder, `disk-${disks}`);
	writeDiskAfterCut({ records, root: '/r', rootInode: 1, target, diskState, random });
	const textOf = (path: string) => {
		const at = join(target, path);
		return existsSync(at) ? readFileSync(at, 'utf8') : undefined;
	};
	return { textOf, names: readdirSync(target) };
}

const DRAFT = [
	{ kind: 'open', inode: 2, path: '/r/key.draft' },
	{ kind: 'write', inode: 2, data: Buffer.from('secret') },
] as const;
const RENAMED = { kind: 'rename', inode: 2, path: '/r/key.draft', to: '/r/key' } as const;

test('R1190 without a sync of the file its name may come without its content; without one of the folder, no name', () => {
	const careless = recordsOf(...DRAFT, RENAMED);
	expect(diskOf(careless, 'names').textOf('key')).toBe('');
	expect(diskOf(careless, 'nothing').names).toEqual([]);
	const named = recordsOf(...DRAFT, { kind: 'sync', inode: 2 }, RENAMED);
	expect(diskOf(named, 'names').textOf('key')).toBe('secret');
	expect(diskOf(named, 'nothing').names).toEqual([]);
	const durable = recordsOf(...DRAFT, { kind: 'sync', inode: 2 }, RENAMED, { kind: 'sync', inode: 1 });
	for (const diskState of ['nothing', 'names', 'beginnings', 'holes'] as const)
		expect(diskOf(durable, diskState).textOf('key')).toBe('secret');
});

test('R1190 of what was not synced a disk keeps a beginning, or some of it in any order, and never changes the rest', () => {
	const records = recordsOf(
		{ kind: 'mkdir', inode: 5, path: '/r/s' },
		{ kind: 'open', inode: 2, path: '/r/s/log' },
		{ kind: 'write', inode: 2, data: Buffer.from('first ') },
		{ kind: 'sync', inode: 2 },
		{ kind: 'sync', inode: 5 },
		{ kind: 'sync', inode: 1 },
		{ kind: 'write', inode: 2, at: 6, data: Buffer.from('second ') },
		{ kind: 'write', inode: 2, at: 13, data: Buffer.from('third') },
	);
	const seen = { beginnings: new Set<string | undefined>(), holes: new Set<string | undefined>() };
	for (let nth = 0; nth < 60; nth += 1) {
		for (const diskState of ['beginnings', 'holes'] as const)
			seen[diskState].add(diskOf(records, diskState).textOf('s/log'));
	}
	for (const text of [...seen.beginnings, ...seen.holes]) expect(text).toMatch(/^first /);
	for (const text of seen.beginnings) expect('first second third').toContain(text);
	expect(seen.beginnings.size).toBeGreaterThan(3);
	expect([...seen.holes].some((text) => text?.includes('\0') && text.endsWith('third'))).toBe(true);
	expect(diskOf(records, 'names').textOf('s/log')).toBe('first ');
	const cut = recordsOf(
		...DRAFT,
		{ kind: 'truncate', inode: 2, at: 3 },
		{ kind: 'sync', inode: 2 },
		{ kind: 'sync', inode: 1 },
	);
	expect(diskOf(cut, 'nothing').textOf('key.draft')).toBe('sec');
});

test('R1190 a change that went past the log is no result', () => {
	expect(() => diskOf(recordsOf({ kind: 'unseen', path: 'sendfile' }), 'names')).toThrow(
		'sendfile changed a file unseen',
	);
});
