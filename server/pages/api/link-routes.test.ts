import { afterEach, expect, test } from 'vitest';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/approvals/approval-record.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';
import { createSoftAuthenticator } from '../../testing/soft-authenticator.ts';

const gates: Gate[] = [];
afterEach(async () => {
	for (const gate of gates.splice(0)) await gate.close();
});

const ONE = 'approval-one';
const OTHER = 'approval-other';

/** A server where two calls wait; `ends` says what became of one, `decided` which were decided. */
async function open() {
	const states = new Map<string, ApprovalState>([
		[ONE, 'waiting'],
		[OTHER, 'waiting'],
	]);
	const decided: string[] = [];
	const recordOf = (id: string): ApprovalRecord | null => {
		const state = states.get(id);
		const times = { requestedAt: '2026-01-01T00:00:00.000Z', deadline: '2026-01-01T00:00:00.000Z' };
		return state ? { id, state, sessionId: 's1', tool: 'Bash', title: '', input: {}, denials: [], ...times } : null;
	};
	const gate = await openGate({
		service: {
			list: () => [],
			similar: () => [],
			get: recordOf,
			decide: async (id) => {
				decided.push(id);
				states.set(id, 'approved');
				return recordOf(id) as ApprovalRecord;
			},
		},
	});
	gates.push(gate);
	const origin = `http://${gate.host}`;
	const key = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin });
	const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
		const all = { origin, 'content-type': 'application/json', ...headers };
		const { status, text, headers: got } = await gate.request('POST', path, all, JSON.stringify(body));
		const cookie = got['set-cookie']?.[0]?.split(';')[0];
		return { status, json: text === '' ? null : JSON.parse(text), cookie, setCookie: got['set-cookie']?.[0] };
	};
	const headerOf = (answer: unknown) => ({
		[PASSKEY_HEADER]: Buffer.from(JSON.stringify(answer)).toString('base64url'),
	});
	const mint = (approvalId = ONE) =>
		gate.links.mint({ approvalId, deadline: new Date(gate.clock.now + 60_000).toISOString() });
	return {
		...{ gate, origin, key, send, headerOf, mint, states, decided },
		/** Rows of links to calls; sign-in links have rows of the same kind. */
		rowsOf: () => gate.journal.byKind(['link:use'], { limit: 10 }).filter(({ payload }) => 'approval' in payload),
		/** The answer to a link's challenge, as a header. */
		async proofFor(link: string) {
			const { json } = await send('/link/challenge', { link });
			return headerOf(key.assert(json.challenge));
		},
		async enrol() {
			const { signedIn: proof } = await gate.logIn();
			await send('/api/passkeys/code', {}, proof);
			const code = /passkey: (\S+)/.exec(gate.lines.join('\n'))?.[1];
			const { json } = await send('/api/passkeys/options', { code }, proof);
			expect((await send('/api/passkeys', { name: 'k', response: key.register(json.challenge) }, proof)).status).toBe(
				200,
			);
			return proof;
		},
	};
}

test('fetching a link does nothing, however often and by whomever; the page says nothing of the call', async () => {
	const { gate, send, mint, rowsOf } = await open();
	const { cookie, signedIn } = await gate.logIn();
	const link = mint();
	const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
	for (const headers of [{}, { cookie }, elsewhere, { purpose: 'prefetch', 'sec-purpose': 'prefetch' }]) {
		const page = await gate.request('GET', '/link', headers);
		expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
		expect(page.headers['content-security-policy']).toContain("default-src 'none'");
		expect(page.text).not.toContain(ONE);
	}
	expect((await gate.request('HEAD', '/link', { cookie })).status).toBe(200);
	expect(rowsOf()).toEqual([]);
	expect((await send('/link', { link }, { cookie })).json.error.code).toBe('link/sign-in');
	expect((await send('/link', { link }, signedIn)).json).toEqual({ to: `/approvals?card=${ONE}` });
});

test('an operator’s sign-in uses the link once and gets no other sign-in by it; it decides nothing', async () => {
	const { gate, send, mint, rowsOf, decided } = await open();
	const { signedIn } = await gate.logIn();
	const link = mint();
	const answers = await Promise.all([send('/link', { link }, signedIn), send('/link', { link }, signedIn)]);
	expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
	for (const { json } of answers) expect(json).not.toHaveProperty('sessionToken');
	expect(answers.map((answer) => answer.cookie)).toEqual([undefined, undefined]);
	expect(rowsOf()).toMatchObject([{ payload: { approval: ONE, by: 'browser' } }]);
	expect(decided).toEqual([]);
});

test('without a sign-in and without a passkey a link gives nothing and stays good', async () => {
	const { gate, send, mint, rowsOf } = await open();
	const link = mint();
	const nobody = await send('/link', { link });
	expect([nobody.status, nobody.json.error.code, nobody.cookie]).toEqual([401, 'link/sign-in', undefined]);
	expect((await send('/link/challenge', { link })).status).toBe(401);
	const authorization = `Bearer ${gate.tokens.operator}`;
	expect((await send('/link', { link }, { authorization })).status).toBe(401);
	expect(rowsOf()).toEqual([]);
	expect((await send('/link', { link }, (await gate.logIn()).signedIn)).status).toBe(200);
});

test('with a passkey a link lets a browser read, and decide its one call with the passkey again, until soon after', async () => {
	const { gate, send, mint, enrol, key, headerOf, proofFor, decided, rowsOf } = await open();
	await enrol();
	const link = mint();
	expect((await send('/link', { link })).json.error.code).toBe('passkey/needed');
	const opened = await send('/link', { link }, await proofFor(link));
	expect(opened.json).toEqual({ to: `/approvals?card=${ONE}`, sessionToken: expect.stringMatching(/^[\w-]{43}$/) });
	expect(opened.setCookie).toMatch(/HttpOnly; SameSite=Strict; Max-Age=6\d\d$/);
	expect(rowsOf()).toMatchObject([{ payload: { approval: ONE, by: 'passkey' } }]);

	const cookie = opened.cookie ?? '';
	const proof = { cookie, 'x-signalbox-session': opened.json.sessionToken };
	const me = JSON.parse((await gate.request('GET', '/api/me', proof)).text);
	expect(me).toMatchObject({ role: 'viewer', approval: ONE });
	const approve = { decision: 'approve' };
	expect((await send(`/api/approvals/${ONE}`, approve, { cookie })).status).toBe(401);
	expect((await send(`/api/approvals/${ONE}`, approve, proof)).json.error.code).toBe('passkey/needed');
	for (const path of [`/api/approvals/${OTHER}`, '/api/grants', '/api/passkeys/options', '/api/push']) {
		expect((await send(path, { decision: 'deny' }, proof)).json.error.code).toBe('auth/forbidden');
	}
	expect(decided).toEqual([]);
	const path = `/api/approvals/${ONE}`;
	const { json } = await send('/api/passkeys/challenge', { path, body: approve }, proof);
	expect((await send(path, approve, { ...proof, ...headerOf(key.assert(json.challenge)) })).status).toBe(200);
	expect(decided).toEqual([ONE]);
	gate.clock.now += 60_000 + 10 * 60_000;
	expect((await gate.request('GET', '/api/me', proof)).status).toBe(401);
});

test('a passkey’s answer counts for its own link, once; without the passkey the sign-in decides nothing', async () => {
	const { gate, send, mint, enrol, proofFor, decided } = await open();
	const operator = await enrol();
	const [link, another] = [mint(), mint(OTHER)];
	expect((await send('/link', { link: another }, await proofFor(link))).json.error.code).toBe('passkey/refused');
	const answer = await proofFor(link);
	const both = await Promise.all([send('/link', { link }, answer), send('/link', { link }, answer)]);
	expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
	const good = both.find(({ status }) => status === 200);
	const { subject } = gate.journal.byKind(['passkey:enrol'], { limit: 1 })[0] ?? { subject: '' };
	gate.passkeys.forget(subject);
	const proof = { cookie: good?.cookie ?? '', 'x-signalbox-session': good?.json.sessionToken };
	expect((await send(`/api/approvals/${ONE}`, { decision: 'approve' }, proof)).json.error.code).toBe('passkey/needed');
	expect(decided).toEqual([]);
	expect((await send(`/api/approvals/${ONE}`, { decision: 'approve' }, operator)).status).toBe(200);
});

test('R776 a link is good only while its call waits, only from our own page, and only where the cookie counts', async () => {
	const { gate, send, mint, states } = await open();
	const { signedIn } = await gate.logIn();
	const link = mint();
	expect((await send('/link', { link }, { ...signedIn, origin: 'https://chat.example.org' })).status).toBe(403);
	const host = `127.0.0.1:${gate.port}`;
	expect((await send('/link', { link }, { host, origin: `http://${host}`, ...signedIn })).status).toBe(421);
	expect((await send('/link', { link: mint('approval-none') }, signedIn)).json.error.code).toBe('link/over');
	states.set(ONE, 'expired');
	expect((await send('/link', { link }, signedIn)).json.error.code).toBe('link/over');
});

test('R776 wrong links are slowed, right ones pass all the same', async () => {
	const { gate, send, mint } = await open();
	const wrong = 'approval-one.abc.0123456789012345678901.0123456789012345678901234567890123456789012';
	for (let tries = 0; tries < 10; tries += 1) expect((await send('/link', { link: wrong })).status).toBe(404);
	expect((await send('/link', { link: wrong })).status).toBe(429);
	expect((await send('/link', { link: mint() }, (await gate.logIn()).signedIn)).status).toBe(200);
});
