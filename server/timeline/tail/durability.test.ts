import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../process/log.ts';
import { createDurability } from './tail.ts';

/** The paths that were synced, in their order. */
const synced = vi.hoisted((): string[] => []);
vi.mock('node:fs/promises', async (original) => {
	const fs = await original<typeof import('node:fs/promises')>();
	return {
		...fs,
		async open(path: string, flags?: string | number) {
			const file = await fs.open(path, flags);
			return { datasync: async () => void synced.push(path), close: () => file.close() };
		},
	};
});

const home = mkdtempSync(join(tmpdir(), 'durability-'));
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a new timeline is synced with the names that lead to it, an older one alone', async () => {
	mkdirSync(join(home, 's1'));
	writeFileSync(join(home, 's1/timeline.jsonl'), '{}');
	const lines: string[] = [];
	const durability = createDurability(
		home,
		createLog((line) => lines.push(line)),
	);
	durability.note('s1');
	durability.note('gone');
	await durability.stop();
	expect(synced.map((path) => relative(home, path))).toEqual(['s1/timeline.jsonl', 's1', '']);
	durability.note('s1');
	await durability.stop();
	expect(synced.slice(3).map((path) => relative(home, path))).toEqual(['s1/timeline.jsonl']);
	expect(lines).toEqual([]);
});
