import { createHash } from 'node:crypto';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFeatureCatalog } from '../archives/features/feature-catalog.ts';
import { verifyExport } from '../archives/features/verify-export.ts';
import { writeArchivedCarts } from './demo-recording.ts';
import { dispatch } from './dispatch.ts';

let root: string;
let out: string[];
let err: string[];
beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'sbx-out-'));
	mkdirSync(join(root, 'shop'), { recursive: true });
	await writeArchivedCarts(join(root, 'home'), join(root, 'shop'), Date.UTC(2026, 1, 23));
	mkdirSync(join(root, 'home/sessions/cart-again/handoffs'));
	writeFileSync(join(root, 'home/sessions/cart-again/handoffs/DEV-to-TEST.md'), '## HANDOFF');
});
afterEach(() => rmSync(root, { recursive: true }));

async function run(home: string, ...args: string[]): Promise<number> {
	out = [];
	err = [];
	return dispatch(['archive', ...args], {
		env: { OVERTONE_HOME: join(root, home) },
		cwd: root,
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
}

const idsIn = (home: string) => readdirSync(join(root, home, 'archive')).filter((name) => !name.startsWith('.'));
const everything = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

async function exported(): Promise<{ id: string; file: string; bytes: Buffer }> {
	const id = idsIn('home')[1] ?? '';
	const file = join(root, 'a.signalbox.gz');
	if (!existsSync(file)) expect(await run('home', 'export', id, '--output', file)).toBe(0);
	return { id, file, bytes: readFileSync(file) };
}

test('R1650 an export that is imported elsewhere and exported again is the same bytes; importing it again changes nothing', async () => {
	const { id, file, bytes } = await exported();
	expect(await run('other', 'import', file)).toBe(0);
	expect(out).toEqual([`${id}: imported`]);
	const before = everything(join(root, 'other'));
	expect(await run('other', 'verify')).toBe(0);
	expect(await run('other', 'import', file)).toBe(0);
	expect(out).toEqual([`${id}: already here, identical`]);
	expect(everything(join(root, 'other'))).toEqual(before);
	const again = join(root, 'again.gz');
	expect(await run('other', 'export', id, '--output', again)).toBe(0);
	expect(readFileSync(again).equals(bytes)).toBe(true);
});

test('an import whose project is known here has its own archive, in the list and at its address', async () => {
	const { id, file } = await exported();
	const home = join(root, 'home');
	const { folder, root: shop } = JSON.parse(readFileSync(join(home, 'archive', id, 'origin.json'), 'utf8'));
	// As one of another machine, where the project lies at the same place.
	rmSync(join(home, 'archive', id), { recursive: true });
	rmSync(join(shop, 'specs/features/archive', folder), { recursive: true });
	expect(await run('home', 'import', file)).toBe(0);
	const ports = { projectRootOf: (path: string) => path };
	const catalog = createFeatureCatalog({ home, views: () => [], ports, now: () => 0 });
	const listed = (await catalog.list()).find((record) => record.id === id);
	expect(listed?.sessions).toHaveLength(1);
	expect(catalog.find(id)?.record).toEqual(listed);
});

test('R1650 any timeline comes back byte for byte, whatever is in it', async () => {
	const { id } = await exported();
	const { origin, manifest } = JSON.parse(
		`{"origin":${readFileSync(join(root, 'home/archive', id, 'origin.json'))},"manifest":${readFileSync(join(root, 'home/archive', id, 'manifest.json'))}}`,
	);
	const sessionId = manifest.sessions[0].sessionId as string;
	expect(origin.folder).toBe(manifest.folder);
	let nth = 0;
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
			nth += 1;
			appendFileSync(join(root, 'home/sessions', sessionId, 'timeline.jsonl'), bytes);
			const [first, second] = [join(root, `${nth}-1.gz`), join(root, `${nth}-2.gz`)];
			expect(await run('home', 'export', id, '--output', first)).toBe(0);
			expect(await run(`other-${nth}`, 'import', first)).toBe(0);
			expect(await run(`other-${nth}`, 'export', id, '--output', second)).toBe(0);
			expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
		}),
		{ numRuns: 10 },
	);
});

test('R1651 one flipped byte anywhere in an export is found, and nothing of it is imported', async () => {
	const { bytes } = await exported();
	const file = join(root, 'flipped.gz');
	await fc.assert(
		fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
			fc.pre(!(at === 9 && mask === 0x10));
			writeFileSync(file, bytes.with(at, (bytes[at] ?? 0) ^ mask));
			expect((await verifyExport(file)).ok).toBe(false);
		}),
		{ numRuns: 120 },
	);
	expect(await run('other', 'import', file)).toBe(1);
	expect(everything(join(root, 'other'))).toEqual([]);
});

/** An export in which something else stands; its end, where it is there, is sealed again. */
function changed(bytes: Buffer, edit: (lines: string[]) => string[]): string {
	const file = join(root, 'changed.gz');
	const lines = edit(gunzipSync(bytes).toString().split('\n'));
	const body = lines.slice(0, -2).map((line) => `${line}\n`);
	const end = { lines: body.length, sha256: createHash('sha256').update(body.join('')).digest('hex') };
	const isWhole = lines.at(-2)?.includes('"end"');
	writeFileSync(file, gzipSync(isWhole ? `${body.join('')}${JSON.stringify({ end })}\n` : lines.join('\n')));
	return file;
}
const inHead = (from: string | RegExp, to: string) => (lines: string[]) =>
	lines.with(0, (lines[0] ?? '').replace(from, to));

test.each([
	['a future version', inHead('"version":1', '"version":7'), 'version 7, which this signalbox does not know'],
	['a document outside', inHead('"documents":[{"name":"', '"documents":[{"name":"../../../../x'), 'no name of a file'],
	['an absolute document', inHead('"documents":[{"name":"', '"documents":[{"name":"/etc/'), 'no name of a file'],
	[
		'a file of another kind',
		inHead('"files":[', `"files":[{"name":"../timeline.jsonl","bytes":1,"sha256":"${'a'.repeat(64)}"},`),
		'no name of a file',
	],
	['a folder outside', inHead(/"folder":"[^"]*"/, '"folder":"../.."'), 'do not name an archive'],
	['an id outside', inHead(/"id":"[^"]*"/, '"id":"../../x"'), 'no manifest of an archive'],
	['a session outside', inHead(/"sessionId":"[^"]*"/, '"sessionId":"../x"'), 'no manifest of an archive'],
	['a timeline outside', inHead(/"file":"[^"]*"/, '"file":"../../journal.db"'), 'no manifest of an archive'],
	['a timeline of two GiB', inHead(/"bytes":\d+(,"sha256":"[0-9a-f]{64}","ranges")/, '"bytes":2147483648$1'), '1 GiB'],
	['more than a disk', inHead(/"bytes":\d+/, '"bytes":99999999999999'), '16 GiB'],
	[
		'another digest',
		inHead(/"sha256":"[0-9a-f]{64}","ranges"/, `"sha256":"${'0'.repeat(64)}","ranges"`),
		'is not whole',
	],
	[
		'many entries',
		inHead('"documents":[', `"documents":[${`{"name":"a","bytes":1,"sha256":"${'a'.repeat(64)}"},`.repeat(20_000)}`),
		'names more files',
	],
	['10^7 entries', inHead('"documents":[', `"documents":[${'{"name":"a"},'.repeat(1_000_000)}`), 'too long'],
	['no UTF-8', (lines: string[]) => lines.with(1, '\ufffd\u0000'), 'not a line of an archive'],
	['a cut', (lines: string[]) => lines.slice(0, 2), 'the file was cut'],
])('%s: the file is refused with its place, and nothing is written', async (_what, edit, problem) => {
	const { bytes } = await exported();
	const before = readdirSync(root);
	const file = changed(bytes, edit);
	expect(await run('other', 'import', file)).toBe(1);
	expect(err.join()).toContain(problem);
	expect(err.join()).toContain('Nothing was imported');
	expect(everything(join(root, 'other'))).toEqual([]);
	expect(
		readdirSync(root)
			.filter((name) => !before.includes(name))
			.sort(),
	).toEqual(['changed.gz', 'other']);
});

test('a cut export opens as far as it goes and says where it ends', async () => {
	const { bytes } = await exported();
	const file = join(root, 'cut.gz');
	writeFileSync(file, bytes.subarray(0, bytes.length - 40));
	expect(await run('home', 'open', file)).toBe(1);
	expect(out.join('\n')).toMatch(/Feature +cart/);
	expect(err.join()).toMatch(/after line \d+/);
});

test('a file that was cut anywhere says how far it can be read, and is not imported', async () => {
	const { bytes } = await exported();
	const file = join(root, 'cut.gz');
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
			writeFileSync(file, bytes.subarray(0, length));
			const check = await verifyExport(file);
			expect(check.ok).toBe(false);
			if (!check.ok && check.head)
				expect(check.wrong).toMatch(/after line \d+, where the file was cut: \d+ of \d+ bytes/);
		}),
		{ numRuns: 60 },
	);
	// Only the check of gzip itself is missing.
	writeFileSync(file, bytes.subarray(0, -4));
	const all = /: (\d+) of \1 bytes of timelines can be read/;
	expect(await verifyExport(file)).toMatchObject({ ok: false, wrong: expect.stringMatching(all) });
	writeFileSync(file, bytes.subarray(0, bytes.length - 40));
	expect(await run('other', 'import', file)).toBe(1);
	expect(err.join()).toMatch(/where the file was cut: .* can be read.*Nothing was imported/);
	expect(everything(join(root, 'other'))).toEqual([]);
});

test('a redacted export, a folder and a missing file are no archives to import; another archive of that id stays', async () => {
	const { id, file } = await exported();
	const redacted = join(root, 'r.gz');
	expect(await run('home', 'export', id, '--redact', '--output', redacted)).toBe(0);
	expect(await run('other', 'import', redacted)).toBe(1);
	expect(err.join()).toContain('left out');
	expect(await run('other', 'import', root)).toBe(2);
	expect(await run('other', 'import', 'none')).toBe(2);
	expect(await run('other', 'import', file)).toBe(0);
	const manifest = join(root, 'other/archive', id, 'manifest.json');
	writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"complete": true', '"complete": false'));
	const before = readFileSync(manifest, 'utf8');
	expect(await run('other', 'import', file)).toBe(1);
	expect(err.join()).toContain('Another archive');
	expect(readFileSync(manifest, 'utf8')).toBe(before);
});

test('--html, --markdown and --csv write files of their own, never over another; --preview writes nothing', async () => {
	const { id } = await exported();
	for (const [format, ending] of [
		['html', '.html'],
		['markdown', '.md'],
		['csv', '.csv'],
	] as const) {
		expect(await run('home', 'export', id, `--${format}`)).toBe(0);
		expect(out[0]).toBe(join(root, `${id.slice(13)}${ending}`));
		expect(readFileSync(out[0] ?? '', 'utf8').length).toBeGreaterThan(200);
		expect(await run('home', 'export', id, `--${format}`)).toBe(1);
	}
	expect(await run('home', 'export', id, '--html', '--csv')).toBe(2);
	const before = readdirSync(root);
	expect(await run('home', 'export', id, '--preview')).toBe(0);
	expect(out.join('\n')).toMatch(
		/\d+ of \d+ events[\s\S]*prompt:submit prompt +1 texts, 32 characters[\s\S]*ids become/,
	);
	expect(readdirSync(root)).toEqual(before);
});
