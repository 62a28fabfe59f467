import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { soakRuns } from '#soak/rig/soak-runs.ts';
import { type Gate, openGate } from '../testing/gate-fixture.ts';
import { type Assertion, createSoftAuthenticator } from '../testing/soft-authenticator.ts';
import { PASSKEY_HEADER } from './webauthn.ts';

const gates: Gate[] = [];
afterEach(async () => {
	for (const gate of gates.splice(0)) await gate.close();
});

const APPROVAL = '/api/approvals/approval-1';
const APPROVE = { decision: 'approve', reason: 'it is right' };

/** A server with a signed-in browser that has an authenticator; `decided` is what got through to the service. */
async function open() {
	const decided: string[] = [];
	const service = {
		list: () => [],
		similar: () => [],
		get: () => null,
		decide: async (id: string) => {
			decided.push(id);
			throw new Error('the service of tests decides nothing');
		},
	};
	const gate = await openGate({ service });
	gates.push(gate);
	const { signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const key = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin });
	const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
		const all = { origin, ...signedIn, 'content-type': 'application/json', ...headers };
		const { status, text } = await gate.request('POST', path, all, JSON.stringify(body));
		return { status, json: text === '' ? null : JSON.parse(text) };
	};
	const codeShown = () => /passkey: (\S+)/.exec(gate.lines.join('\n'))?.[1];
	const challengeFor = async (path: string, body: unknown): Promise<string> =>
		(await send('/api/passkeys/challenge', { path, body })).json.challenge;
	const headerOf = (answer: unknown) => ({
		[PASSKEY_HEADER]: Buffer.from(JSON.stringify(answer)).toString('base64url'),
	});
	const enrol = async (code: string | undefined, headers = {}) => {
		const options = await send('/api/passkeys/options', code === undefined ? {} : { code }, headers);
		if (options.status !== 200) return options;
		return send('/api/passkeys', { name: 'my key', response: key.register(options.json.challenge) });
	};
	return {
		gate,
		decided,
		key,
		send,
		codeShown,
		challengeFor,
		headerOf,
		enrol,
		/** Enrols the first passkey with the terminal's code. */
		async enrolFirst() {
			await send('/api/passkeys/code', {});
			expect((await enrol(codeShown())).status).toBe(200);
		},
	};
}

test('the first passkey needs the code that only the terminal shows, and each code is for one use', async () => {
	const { enrol, send, codeShown, gate } = await open();
	expect((await enrol(undefined)).json.error.code).toBe('passkey/code');
	expect((await enrol('AAAA-AAAA')).status).toBe(403);
	expect((await send('/api/passkeys/code', {})).status).toBe(204);
	expect((await enrol('AAAA-AAAA')).status).toBe(403);
	const code = codeShown();
	expect((await enrol(code?.toLowerCase())).status).toBe(200);
	expect((await enrol(code)).json.error.code).toBe('passkey/needed');
	const me = JSON.parse((await gate.request('GET', '/api/me', { authorization: `Bearer ${gate.tokens.viewer}` })).text);
	expect(me.tier).toBe('T2');
	expect(me.minted.at(-1).kind).toBe('passkey:enrol');
});

test('a code is given up after five wrong tries, and a token cannot ask for one', async () => {
	const { enrol, send, codeShown, gate } = await open();
	const authorization = `Bearer ${gate.tokens.operator}`;
	expect((await send('/api/passkeys/code', {}, { cookie: '', authorization })).json.error.code).toBe('passkey/browser');
	await send('/api/passkeys/code', {});
	for (let tries = 0; tries < 5; tries += 1) expect((await enrol('AAAA-AAAA')).status).toBe(403);
	expect((await enrol(codeShown())).status).toBe(403);
});

test('R701 with a passkey, a decision needs its answer to exactly this request, once', async () => {
	const { enrolFirst, send, key, challengeFor, headerOf, decided, gate } = await open();
	await send(APPROVAL, APPROVE);
	expect(decided).toHaveLength(1);
	await enrolFirst();
	expect((await send(APPROVAL, APPROVE)).json.error.code).toBe('passkey/needed');
	const authorization = `Bearer ${gate.tokens.operator}`;
	expect((await send(APPROVAL, APPROVE, { cookie: '', authorization })).json.error.code).toBe('passkey/browser');

	const challenge = await challengeFor(APPROVAL, APPROVE);
	const answer = headerOf(key.assert(challenge));
	expect((await send('/api/approvals/approval-2', APPROVE, answer)).json.error.code).toBe('passkey/refused');
	const again = headerOf(key.assert(await challengeFor(APPROVAL, APPROVE)));
	expect((await send(APPROVAL, { ...APPROVE, reason: 'changed' }, again)).status).toBe(403);
	expect(decided).toHaveLength(1);

	const right = headerOf(key.assert(await challengeFor(APPROVAL, APPROVE)));
	await send(APPROVAL, APPROVE, right);
	expect(decided).toHaveLength(2);
	expect((await send(APPROVAL, APPROVE, right)).json.error.code).toBe('passkey/refused');
	expect(decided).toHaveLength(2);
});

test('R701 a denial from a browser needs no passkey: it lets nothing through', async () => {
	const { enrolFirst, send, decided, gate } = await open();
	await enrolFirst();
	await send(APPROVAL, { decision: 'deny' });
	expect(decided).toHaveLength(1);
	const authorization = `Bearer ${gate.tokens.operator}`;
	expect((await send(APPROVAL, { decision: 'deny' }, { cookie: '', authorization })).status).toBe(403);
});

test('R701 a challenge counts for its own sign-in, and for two minutes', async () => {
	const { enrolFirst, send, key, challengeFor, headerOf, decided, gate } = await open();
	await enrolFirst();
	const challenge = await challengeFor(APPROVAL, APPROVE);
	const other = await gate.logIn();
	const elsewhere = other.signedIn;
	expect((await send(APPROVAL, APPROVE, { ...headerOf(key.assert(challenge)), ...elsewhere })).status).toBe(403);
	const late = await challengeFor(APPROVAL, APPROVE);
	gate.clock.now += 121_000;
	expect((await send(APPROVAL, APPROVE, headerOf(key.assert(late)))).status).toBe(403);
	expect(decided).toEqual([]);
});

test('C2: of many spoilt answers none is accepted', async () => {
	const { enrolFirst, send, key, challengeFor, headerOf, decided } = await open();
	await enrolFirst();
	const parts = ['authenticatorData', 'clientDataJSON', 'signature'] as const satisfies (keyof Assertion)[];
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...parts),
			fc.nat(10_000),
			fc.integer({ min: 1, max: 255 }),
			async (part, at, bits) => {
				const answer = key.assert(await challengeFor(APPROVAL, APPROVE), (assertion) => {
					const bytes = assertion[part];
					const index = at % bytes.length;
					bytes[index] = (bytes[index] ?? 0) ^ bits;
				});
				expect((await send(APPROVAL, APPROVE, headerOf(answer))).status).toBe(403);
			},
		),
		soakRuns('C2', 40, 1000),
	);
	expect(decided).toEqual([]);
}, 3_600_000);

test('C2: the same signature in another spelling is refused', async () => {
	const { enrolFirst, send, key, challengeFor, headerOf, decided } = await open();
	await enrolFirst();
	const answer = key.assert(await challengeFor(APPROVAL, APPROVE), ({ signature }) => {
		signature[0] = (signature[0] ?? 0) ^ 0x80;
	});
	expect((await send(APPROVAL, APPROVE, headerOf(answer))).status).toBe(403);
	expect(decided).toEqual([]);
});

test('an answer without the owner’s confirmation, from elsewhere, or from another key is refused', async () => {
	const { enrolFirst, send, challengeFor, headerOf, gate, decided } = await open();
	await enrolFirst();
	const outsider = createSoftAuthenticator({ rpId: 'signalbox.localhost', origin: `http://${gate.host}` });
	expect((await send(APPROVAL, APPROVE, headerOf(outsider.assert(await challengeFor(APPROVAL, APPROVE))))).status).toBe(
		403,
	);
	for (const garbage of ['', 'x', 'e30', Buffer.from('{"id":"a","response":{}}').toString('base64url')]) {
		expect((await send(APPROVAL, APPROVE, { [PASSKEY_HEADER]: garbage })).status).toBe(403);
	}
	expect(decided).toEqual([]);
});

test('a server without a terminal shows no code for a passkey, says what to do, and takes none', async () => {
	const lost: string[] = [];
	const gate = await openGate({ print: (line) => lost.push(line) < 0 });
	gates.push(gate);
	const headers = {
		...(await gate.logIn()).signedIn,
		origin: `http://${gate.host}`,
		'content-type': 'application/json',
	};
	const codeAnswer = await gate.request('POST', '/api/passkeys/code', headers, '{}');
	expect([codeAnswer.status, codeAnswer.text]).toEqual([
		409,
		expect.stringContaining('`signalbox start` in a terminal'),
	]);
	const code = /passkey: (\S+)/.exec(lost.join())?.[1];
	expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
	const options = await gate.request('POST', '/api/passkeys/options', headers, JSON.stringify({ code }));
	expect(JSON.parse(options.text).error.code).toBe('passkey/code');
});

test('with a passkey it alone chooses which browsers are notified: no token does, nor a sign-in without it', async () => {
	const { enrolFirst, send, gate, key, challengeFor, headerOf } = await open();
	const path = '/api/push';
	const body = { action: 'remove', id: '0123456789abcdef' };
	const authorization = `Bearer ${gate.tokens.operator}`;
	expect((await send(path, body, { authorization })).json.error.code).toBe('push/not-found');
	await enrolFirst();
	expect((await send(path, body, { authorization })).json.error.code).toBe('passkey/browser');
	expect((await send(path, body)).json.error.code).toBe('passkey/needed');
	const proof = headerOf(key.assert(await challengeFor(path, body)));
	expect((await send(path, body, proof)).json.error.code).toBe('push/not-found');
});

test('a sign-in is listed by what its browser called itself', async () => {
	const { gate } = await open();
	const origin = `http://${gate.host}`;
	const headers = {
		origin,
		'content-type': 'application/json',
		'user-agent': 'Mozilla/5.0 (Android 15) Firefox/140.0',
	};
	const body = JSON.stringify({ token: await gate.auth.mintLink() });
	expect((await gate.request('POST', '/login', headers, body)).status).toBe(200);
	const bearer = { authorization: `Bearer ${gate.tokens.operator}` };
	const { entries } = JSON.parse((await gate.request('GET', '/api/access', bearer)).text);
	expect(entries).toContainEqual(expect.objectContaining({ kind: 'sign-in', name: 'Firefox on Android' }));
});

test('who is asked for is found in the journal after the end: when, and by whom', async () => {
	const { gate } = await open();
	const headers = { authorization: `Bearer ${gate.tokens.operator}`, 'content-type': 'application/json' };
	const read = async (path: string) => JSON.parse((await gate.request('GET', path, headers)).text);
	const { entries } = await read('/api/access');
	const mine = entries.find((entry: { mine: boolean }) => entry.mine);
	const { role, id, since } = entries.find((entry: { role: string }) => entry.role === 'viewer');
	expect(await read(`/api/access?who=${id}`)).toMatchObject({ ended: [] });
	const body = JSON.stringify({ action: 'revoke' });
	expect((await gate.request('POST', `/api/access/${id}`, headers, body)).status).toBe(200);
	const by = { role: 'operator', via: 'token', access: mine.id };
	const ended = [{ id, kind: 'token', role, since, endedAt: expect.any(String), by }];
	for (const who of [id, id.slice(0, 8)]) expect((await read(`/api/access?who=${who}`)).ended).toEqual(ended);
	expect((await read('/api/access?who=00000000')).ended).toEqual([]);
	expect((await gate.request('GET', '/api/access?who=%25', headers)).status).toBe(400);
});

test('R703 sign-ins, tokens and passkeys are listed; one that is revoked no longer counts', async () => {
	const { enrolFirst, send, key, challengeFor, headerOf, gate } = await open();
	const list = async (headers: Record<string, string>) =>
		JSON.parse((await gate.request('GET', '/api/access', headers)).text).entries;
	const bearer = { authorization: `Bearer ${gate.tokens.operator}` };
	const before = await list(bearer);
	expect(before.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['sign-in', 'token', 'token', 'token']);
	const mine = before.find((entry: { mine: boolean }) => entry.mine);
	expect(mine).toMatchObject({ kind: 'token', role: 'operator' });
	await enrolFirst();
	const target = `/api/access/${mine.id}`;
	expect((await send(target, { action: 'revoke' })).json.error.code).toBe('passkey/needed');
	const proof = headerOf(key.assert(await challengeFor(target, { action: 'revoke' })));
	expect((await send(target, { action: 'revoke' }, proof)).status).toBe(200);
	expect((await gate.request('GET', '/api/access', bearer)).status).toBe(401);
	expect((await gate.request('GET', '/api/access', { authorization: `Bearer ${gate.tokens.viewer}` })).status).toBe(
		403,
	);
	const again = headerOf(key.assert(await challengeFor(target, { action: 'revoke' })));
	expect((await send(target, { action: 'revoke' }, again)).status).toBe(404);
});
