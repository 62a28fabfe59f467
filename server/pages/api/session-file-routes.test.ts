import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-files-'));
	closers.push(() => rmSync(home, { recursive: true }));
	const gate = await openGate({ home });
	closers.push(() => gate.close());
	const folder = join(home, 'sessions', 's1');
	for (const name of ['blobs', 'handoffs']) mkdirSync(join(folder, name), { recursive: true });
	return { gate, folder, home, get: getAs(gate, gate.tokens.viewer) };
}

const getAs = (gate: Gate, token: string) => (path: string) =>
	gate.request('GET', `/api/sessions/${path}`, { authorization: `Bearer ${token}` });
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const code = ({ text }: { text: string }) => JSON.parse(text).error.code;

test('R222 a blob comes as plain text to those who may read, and to nobody else', async () => {
	const { gate, folder, get } = await open();
	const text = '<script>alert(1)</script> \u202e é';
	writeFileSync(join(folder, 'blobs', digestOf(text)), text);
	const answer = await get(`s1/blobs/${digestOf(text)}`);
	expect([answer.status, answer.text]).toEqual([200, text]);
	expect(answer.headers).toMatchObject({
		'content-type': 'text/plain; charset=utf-8',
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-store',
	});
	expect((await getAs(gate, gate.tokens.edge)(`s1/blobs/${digestOf(text)}`)).status).toBe(403);
	expect((await gate.request('GET', `/api/sessions/s1/blobs/${digestOf(text)}`)).status).toBe(401);
});

test('R222 a blob that is not its digest, too large, a link or a name of something else is refused', async () => {
	const { folder, home, get } = await open();
	const [changed, large, link, outside] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64)) as [
		...[string, string, string, string],
	];
	writeFileSync(join(folder, 'blobs', changed), 'another text');
	writeFileSync(join(folder, 'blobs', large), '');
	truncateSync(join(folder, 'blobs', large), 32 * 1024 * 1024 + 1);
	writeFileSync(join(home, 'secret'), 'secret');
	symlinkSync(join(home, 'secret'), join(folder, 'blobs', link));
	mkdirSync(join(home, 'sessions', 's2'));
	mkdirSync(join(home, 'elsewhere'));
	writeFileSync(join(home, 'elsewhere', outside), 'x');
	symlinkSync(join(home, 'elsewhere'), join(home, 'sessions', 's2', 'blobs'));
	expect(code(await get(`s1/blobs/${changed}`))).toBe('file/changed');
	expect(code(await get(`s1/blobs/${large}`))).toBe('file/too-large');
	for (const path of [`s1/blobs/${link}`, `s2/blobs/${outside}`, `s3/blobs/${link}`, `s1/blobs/${'e'.repeat(64)}`]) {
		const answer = await get(path);
		expect([answer.status, code(answer)]).toEqual([404, 'file/not-found']);
	}
	for (const path of ['s1/blobs/short', 's1/blobs/..', `..s1/blobs/${changed}`]) {
		expect([400, 404]).toContain((await get(path)).status);
	}
});

test('observations are ordered by certainty; of one id the last line counts, and invalid lines do not', async () => {
	const { folder, get } = await open();
	const line = (id: string, confidence: number) =>
		JSON.stringify({
			...{ id, ts: '', lastSeen: '', type: 'tool_preferences', trigger: 't', action: 'a', tag: 'x' },
			...{ confidence, count: 1 },
		});
	expect(JSON.parse((await get('s1/observations')).text)).toEqual({ observations: [] });
	const lines = [line('one', 0.9), 'no json', '{"id":"odd"}', line('two', 0.5), line('one', 0.3)];
	writeFileSync(join(folder, 'observations.jsonl'), lines.join('\n'));
	const { observations } = JSON.parse((await get('s1/observations')).text);
	expect(observations.map(({ id, confidence }: { id: string; confidence: number }) => [id, confidence])).toEqual([
		['two', 0.5],
		['one', 0.3],
	]);
	expect((await get('s.1/observations')).status).toBe(404);
	expect(code(await get('nobody/observations'))).toBe('session/not-found');
});

test('a handoff is read by its last path part, from its own session only', async () => {
	const { folder, get } = await open();
	writeFileSync(join(folder, 'handoffs', 'TEST:2-to-RETRO.md'), '# HANDOFF');
	expect((await get('s1/handoffs/TEST:2-to-RETRO.md')).text).toBe('# HANDOFF');
	expect((await get('s1/handoffs/..')).status).toBe(400);
	expect([400, 404]).toContain((await get('s1/handoffs/..%2ftimeline.jsonl')).status);
	expect((await get('s1/handoffs/none.md')).status).toBe(404);
});
