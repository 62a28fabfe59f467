import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ExportHead } from '../contract/archives/features.ts';
import { readArchiveFile } from './read-archive-file.ts';

const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const HOSTILE = '<script>alert(1)</script>\u202e';
const event = (at: number, type: string, fields: object) => ({
	...{ id: `e${at}`, ts: new Date(at * 1000).toISOString(), type, category: 'x', label: HOSTILE, sessionId: 's' },
	...fields,
});
const timeline = Buffer.from(
	[
		event(1, 'prompt:submit', { prompt: HOSTILE, source: 'user' }),
		event(2, 'tool:call', { toolUseId: 't', tool: 'Bash', input: { command: HOSTILE } }),
		event(3, 'approval:resolve', { approvalId: 'a', decision: 'approve', by: { role: 'operator', via: 'token' } }),
	]
		.map((line) => `\n${JSON.stringify(line)}\n`)
		.join(''),
);
// The pieces cut a line, and a character, in the middle.
const cuts = [0, 41, 130, timeline.length];
const ranges = cuts.slice(1).map((to, nth) => {
	const from = cuts[nth] ?? 0;
	return { from, to, sha256: sha(timeline.subarray(from, to)) };
});
const kept = { file: 's.jsonl.gz', bytes: timeline.length, sha256: sha(timeline), ranges };
const head: ExportHead = {
	...{ signalbox: 'archive', version: 1, redacted: false, outcome: null },
	manifest: {
		...{ version: 1, id: '0123456789ab-2026-02-23_cart', feature: HOSTILE, folder: '2026-02-23_cart' },
		...{ archivedAt: '2026-02-23T00:00:00.000Z', documents: [], complete: true },
		sessions: [{ sessionId: 's', ended: true, timelines: [kept], files: [] }],
	},
};
const pieces = ranges.map(({ from, to }) => ({
	timeline: { sessionId: 's', file: kept.file, from, to, data: timeline.subarray(from, to).toString('base64') },
}));
const whole = [head, ...pieces, { end: { lines: 4, sha256: 'a'.repeat(64) } }];
const textOf = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size);
}
const read = (text: string | Uint8Array, size = 7) =>
	readArchiveFile(inPieces(Buffer.from(text), size), async (bytes) => sha(bytes));
const rowsIn = ({ story }: Awaited<ReturnType<typeof read>>) => story?.sessions.flatMap(({ rows }) => rows) ?? [];

test('an exported file is read in the browser: its story, its words as text, and what people decided as unverified', async () => {
	const opened = await read(textOf(whole));
	expect(opened.wrong).toBeNull();
	expect(rowsIn(opened).map(({ type, unverified }) => [type, unverified])).toEqual([
		['prompt:submit', undefined],
		['tool:call', undefined],
		['approval:resolve', true],
	]);
	expect(rowsIn(opened)[0]?.title).toContain('<script>');
	const redacted = [
		{ ...head, redacted: true },
		{ event: event(1, 'prompt:submit', { prompt: 'x', source: 'user' }) },
		whole.at(-1),
	];
	expect((await read(textOf(redacted))).story).toMatchObject({
		redacted: true,
		sessions: [{ rows: [{ title: 'x' }] }],
	});
});

test('one that was cut is shown as far as it goes, and the place is named', async () => {
	const text = textOf(whole);
	const cut = await read(text.slice(0, text.length - 50));
	expect(cut).toMatchObject({ wrong: expect.stringContaining('its end'), story: { missing: expect.any(String) } });
	expect(rowsIn(cut).length).toBeGreaterThan(1);
	const packed = gzipSync(text);
	const broken = (async function* () {
		yield Buffer.from(text.slice(0, 2000));
		gunzipSync(packed.subarray(0, -10));
	})();
	expect((await readArchiveFile(broken, async (bytes) => sha(bytes))).wrong).toMatch(/after line \d/);
	const flipped = text.replace(pieces[1]?.timeline.data ?? '', `A${(pieces[1]?.timeline.data ?? '').slice(1)}`);
	expect((await read(flipped)).wrong).toBe(`timeline s.jsonl.gz, bytes ${ranges[1]?.from} to ${ranges[1]?.to}`);
});

test.each([
	['nothing', '', 'no exported archive'],
	['another file', 'PK\u0003\u0004', 'no exported archive'],
	['a future version', textOf([{ ...head, version: 9 }]), 'version that this page does not know'],
	['no UTF-8', Buffer.alloc(5000, 0xff), 'no exported archive'],
	['an endless first line', 'a'.repeat(5_000_000), 'no exported archive'],
	['deep JSON', `${textOf([head])}${'['.repeat(100_000)}\n`, 'line 2'],
	['what is no line', textOf([head, { other: 1 }]), 'line 2'],
	['more after its end', textOf([...whole, {}]), 'something comes after it'],
	['a session outside', textOf([{ ...head, manifest: { ...head.manifest, id: '../x' } }]), 'no exported archive'],
])('%s is named and harms nobody', async (_what, bytes, problem) => {
	expect((await read(bytes, 65_536)).wrong).toContain(problem);
});
