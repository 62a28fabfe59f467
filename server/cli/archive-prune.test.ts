import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RetentionPlan } from '#lib/contract/archives/retention.ts';
import { writeArchivedCarts } from './demo-recording.ts';
import { dispatch } from './dispatch.ts';

let root: string;
let out: string[];
let err: string[];
beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'sbx-prune-'));
	mkdirSync(join(root, 'shop'));
	await writeArchivedCarts(join(root, 'home'), join(root, 'shop'), Date.UTC(2026, 1, 23));
});
afterEach(() => rmSync(root, { recursive: true }));

async function prune(...args: string[]): Promise<number> {
	out = [];
	err = [];
	return dispatch(['archive', 'prune', ...args], {
		env: { OVERTONE_HOME: join(root, 'home') },
		cwd: root,
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
}
const policy = (retention: object) => writeFileSync(join(root, 'home/config.json'), JSON.stringify({ retention }));
const archives = () => readdirSync(join(root, 'home/archive'));

test('R1893 `archive prune` shows what would go and removes it only with --yes or --apply', async () => {
	expect(await prune()).toBe(0);
	expect([out, err.join()]).toEqual([[], expect.stringContaining('No `retention` is configured')]);
	policy({ archiveDays: 0 });
	const before = archives();
	expect(before).toHaveLength(2);
	expect(await prune('--json')).toBe(0);
	const { applied, ...shown } = JSON.parse(out.join());
	const plan = RetentionPlan.parse(shown);
	expect([applied, plan.remove.map(({ id }) => id).sort(), plan.kept]).toEqual([false, before.sort(), []]);
	expect(plan.bytes).toBe(plan.remove.reduce((sum, { bytes }) => sum + bytes, 0));
	expect(await prune()).toBe(0);
	expect(out.join('\n')).toMatch(new RegExp(`archive ${before[0]} .*, by its age`));
	expect(err.join()).toContain('Nothing was removed');
	expect(archives()).toEqual(before);
	expect(await prune('--apply', '--json')).toBe(0);
	expect(JSON.parse(out.join())).toMatchObject({ applied: true, bytes: plan.bytes });
	expect(archives()).toEqual([]);
	expect(await prune('--yes')).toBe(0);
	expect(err.join()).toContain('0 removed');
});

test('an unreadable policy removes nothing, is reported, and fails if it was to be applied; a name is refused', async () => {
	policy({ archiveDays: 'soon' });
	expect(await prune('--yes', '--json')).toBe(1);
	expect(JSON.parse(out.join())).toMatchObject({ problems: [expect.stringContaining('archiveDays')], remove: [] });
	expect(await prune('--json')).toBe(0);
	expect(archives()).toHaveLength(2);
	expect(await prune('cart')).toBe(2);
	expect(existsSync(join(root, 'home/pruned'))).toBe(false);
});
