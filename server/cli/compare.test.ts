import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { Comparison } from '#lib/contract/archives/compare.ts';
import { writeArchivedCarts } from './demo-recording.ts';
import { dispatch } from './dispatch.ts';

let home: string;
beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), 'sbx-compare-'));
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeArchivedCarts(home, project, Date.UTC(2026, 5, 20, 12));
});
afterAll(() => rmSync(home, { recursive: true }));

async function runIn(folder: string, ...words: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const env = { OVERTONE_HOME: folder };
	const terminal = { env, cwd: folder, print: (line: string) => out.push(line), say: (line: string) => err.push(line) };
	return { code: await dispatch(['compare', ...words], terminal), out: out.join('\n'), err: err.join('\n') };
}
const run = (...words: string[]) => runIn(home, ...words);
const json = async (...words: string[]) => Comparison.parse(JSON.parse((await run(...words, '--json')).out));

test('R1620 the demo’s two carts: where they first went apart, and what the second cost more', async () => {
	const found = await json('2026-06-08_cart', 'cart');
	expect(found.divergence).toMatchObject({
		kind: 'denial',
		explanation: expect.stringMatching(
			/^After TEST: Bash sudo npm .* was denied \(Commands that must not run\) in the second run only\.$/,
		),
		a: { sessionId: 'cart-first', has: false },
		b: { sessionId: 'cart-again', row: 'call:cart-denied', has: true },
	});
	expect(found.divergences.map(({ kind, stage, nth }) => `${kind} ${stage} ${nth}`)).toEqual([
		...['denial TEST 1', 'verdict REVIEW 1', 'verdict TEST:2 1', 'repeat DEV 2', 'repeat REVIEW 2'],
		...['repeat TEST:2 2', 'verdict RETRO 1'],
	]);
	expect(found.divergences[1]?.explanation).toBe('REVIEW was rejected in the second run; it passed in the first.');
	expect(found.divergences[3]?.explanation).toBe(
		'DEV ran a second time in the second run (the total ignores the tax); in the first it ran once.',
	);
	const total = (name: string) => found.differences.find((row) => row.group === 'run' && row.name === name);
	expect(total('idle')).toMatchObject({ a: 0, b: 0 });
	expect(total('calls')).toMatchObject({ a: 8, b: 13 });
	expect(total('retries')).toMatchObject({ a: 0, b: 1, size: 1 });
	expect(total('denials')).toMatchObject({ a: 0, b: 1 });
	expect(total('passAt1')).toMatchObject({ a: 1, b: 0.625 });
	expect(total('cost')?.b).toBeGreaterThan(total('cost')?.a ?? Number.NaN);
	expect(found.a).toMatchObject({
		kind: 'archive',
		title: 'cart',
		project: 'shop',
		workflow: 'standard',
		ended: 'complete',
	});
});

test('R1620 a run is named by its archive, its folder, its feature, its session, or as the one before', async () => {
	const [first = '', again = ''] = readdirSync(join(home, 'archive')).sort();
	const ids = async (...words: string[]) => {
		const { a, b } = await json(...words);
		return [a.id, b.id];
	};
	expect(await ids(first, again)).toEqual([first, again]);
	expect(await ids('previous', 'cart')).toEqual([first, again]);
	expect(await ids('cart', '2026-06-08_cart')).toEqual([again, first]);
	expect(await ids('cart-first', 'cart-again')).toEqual(['cart-first', 'cart-again']);
	expect(await ids('cart-again', 'previous')).toEqual(['cart-again', 'cart-first']);
});

test('R1620 on a terminal it fits into 80 columns and names the first divergence', async () => {
	const { code, out } = await run('previous', 'cart');
	expect(code).toBe(0);
	expect(out).toContain('First divergence: After TEST: Bash sudo npm install');
	expect(out).toMatch(/^REVIEW +passed 45s +rejected 40s +≠$/m);
	expect(out).toMatch(/^Time of work +\d/m);
	expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
	expect((await run('cart', 'cart')).out).toContain('No difference.');
});

test('what is not recorded is answered with what is near', async () => {
	expect(await run('carts', 'cart')).toMatchObject({
		code: 1,
		out: '',
		err: expect.stringContaining('Near are: cart'),
	});
	expect(await run('zzz', 'cart')).toMatchObject({ code: 1, err: expect.stringContaining('such as: cart') });
	expect(await run('2026-06-08_cart', 'previous')).toMatchObject({ code: 1, err: expect.stringContaining('older') });
	expect(await run('cart')).toMatchObject({ code: 2, err: expect.stringContaining('Give two runs') });
	const empty = mkdtempSync(join(tmpdir(), 'sbx-compare-'));
	expect(await runIn(empty, 'a', 'b')).toMatchObject({
		code: 1,
		err: expect.stringContaining('Nothing is recorded yet'),
	});
	rmSync(empty, { recursive: true });
});

test('a damaged timeline of an archive is reported as damaged, and nothing else is read of it', async () => {
	const copy = mkdtempSync(join(tmpdir(), 'sbx-compare-'));
	cpSync(home, copy, { recursive: true });
	const id = readdirSync(join(copy, 'archive')).find((name) => name.includes('2026-06-08')) ?? '';
	writeFileSync(join(copy, 'archive', id, 'cart-first.jsonl.gz'), 'no gzip');
	expect(await runIn(copy, id, 'cart')).toMatchObject({ code: 1, err: expect.stringContaining('damaged') });
	rmSync(copy, { recursive: true });
});
