import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sessionProtocols } from '#lib/contract/access/session-token.ts';
import { judgeOrigin } from '../http/front-gate.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { createAuth } from './auth.ts';
import type { SignIn } from './credentials.ts';
import { digestOf } from './principal.ts';

const PORT = 7777;
const OWN = 'abcdefghijklmnopqrst.signalbox.localhost';
const HOST = `${OWN}:${PORT}`;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder: string;
let journal: JournalStore;
let clock: number;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'signalbox-auth-'));
	journal = await openSqliteJournal(join(folder, 'journal.db'));
});
beforeEach(() => {
	clock = Date.now();
});
afterAll(async () => {
	await journal.close();
	rmSync(folder, { recursive: true });
});

const open = () => createAuth({ journal, host: OWN, now: () => clock });
const withToken = (token: string, host = HOST) => ({ headers: { host, authorization: `Bearer ${token}` }, port: PORT });
const withCookie = (cookie: string, host = HOST) => ({
	headers: { host, cookie: `a=b; signalbox-${PORT}=${cookie}` },
	port: PORT,
});
const withBoth = ({ cookie, sessionToken }: SignIn, host = HOST) => {
	const { headers } = withCookie(cookie, host);
	return { headers: { ...headers, 'x-signalbox-session': sessionToken }, port: PORT };
};

test('R139 a link redeemed by many at once has one winner', async () => {
	const auth = open();
	const link = await auth.mintLink();
	const tries = await Promise.allSettled(Array.from({ length: 8 }, () => auth.redeemLink(link)));
	expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	await expect(auth.redeemLink(link)).rejects.toMatchObject({ code: 'auth/link-used' });
});

test('R139 a link is good for 15 minutes, across a restart of the server', async () => {
	const [early, late] = [await open().mintLink(), await open().mintLink()];
	clock += 15 * MINUTE - 1;
	await expect(open().redeemLink(early)).resolves.toMatchObject({ cookie: expect.stringMatching(/^[\w-]{43}$/) });
	clock += 1;
	await expect(open().redeemLink(late)).rejects.toMatchObject({ code: 'auth/link-used' });
});

test('R139 only a link can be redeemed', async () => {
	const auth = open();
	const token = await auth.mintToken('operator');
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	for (const secret of [token, cookie, '', 'x'.repeat(43)]) {
		await expect(auth.redeemLink(secret)).rejects.toMatchObject({ code: 'auth/link-used' });
	}
});

test('R140 the journal holds no secret', async () => {
	const auth = open();
	const token = await auth.mintToken('viewer');
	const link = await auth.mintLink();
	const { cookie, sessionToken } = await auth.redeemLink(link);
	const rows = JSON.stringify(journal.byKind(['token:mint', 'link:mint', 'link:use', 'login:open'], { limit: 100 }));
	expect(rows).toContain('login:open');
	for (const secret of [token, link, cookie, sessionToken]) expect(rows).not.toContain(secret);
});

test('R137 a token is a token and a cookie is a cookie', async () => {
	const auth = open();
	const token = await auth.mintToken('operator');
	const link = await auth.mintLink();
	const { cookie, sessionToken } = await auth.redeemLink(link);
	expect(await auth.authenticate(withToken(token))).toMatchObject({ role: 'operator', via: 'token' });
	expect(await auth.authenticate(withBoth({ cookie, sessionToken }))).toMatchObject({
		role: 'operator',
		via: 'browser',
	});
	for (const wrong of [cookie, link, sessionToken]) expect(await auth.authenticate(withToken(wrong))).toBeNull();
	for (const wrong of [token, link, sessionToken])
		expect(await auth.authenticate(withBoth({ cookie: wrong, sessionToken }))).toBeNull();
});

test('when a token or a sign-in was last used is known, and a token has the name that it was made with', async () => {
	const auth = open();
	const token = await auth.mintToken('viewer', 'nightly report');
	const signIn = await auth.redeemLink(await auth.mintLink());
	expect(auth.lastUsed(digestOf(token))).toBeUndefined();
	expect(await auth.authenticate(withToken(token))).toMatchObject({ name: 'nightly report' });
	await auth.authenticate(withBoth(signIn));
	for (const secret of [token, signIn.cookie]) expect(auth.lastUsed(digestOf(secret))).toEqual(expect.any(Number));
});

test('the cookie counts on one host name only, a token on all', async () => {
	const auth = open();
	const signIn = await auth.redeemLink(await auth.mintLink());
	const token = await auth.mintToken('viewer');
	const guessable = ['signalbox.localhost', 'localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${PORT}`);
	for (const host of [...guessable, `x.${HOST}`, `${OWN}:1`]) {
		expect(await auth.authenticate(withBoth(signIn, host))).toBeNull();
		expect(await auth.recognize(withCookie(signIn.cookie, host))).toBeNull();
		expect(await auth.authenticate(withToken(token, host))).not.toBeNull();
	}
});

test('a bearer token that is wrong is not made good by a cookie', async () => {
	const auth = open();
	const { headers, port } = withBoth(await auth.redeemLink(await auth.mintLink()));
	expect(await auth.authenticate({ headers: { ...headers, authorization: 'Bearer nonsense' }, port })).toBeNull();
	expect(await auth.authenticate({ headers: { ...headers, authorization: '' }, port })).toBeNull();
});

test('a cookie that another port has set beside ours does no harm', async () => {
	const auth = open();
	const [mine, theirs] = [await auth.redeemLink(await auth.mintLink()), await auth.redeemLink(await auth.mintLink())];
	for (const other of ['x'.repeat(43), theirs.cookie]) {
		const cookie = `signalbox-${PORT}=${other}; signalbox-${PORT}=${mine.cookie}`;
		const headers = { host: HOST, cookie, 'x-signalbox-session': mine.sessionToken };
		const sessionHash = (await auth.authenticate(withBoth(mine)))?.sessionHash;
		expect(await auth.authenticate({ headers, port: PORT })).toMatchObject({ via: 'browser', sessionHash });
	}
});

test('R138 a cookie counts with its own session token only, as a header or among the protocols of a websocket', async () => {
	const auth = open();
	const first = await auth.redeemLink(await auth.mintLink());
	const second = await auth.redeemLink(await auth.mintLink());
	const { headers, port } = withCookie(first.cookie);
	const ask = (more: Record<string, string>) => auth.authenticate({ headers: { ...headers, ...more }, port });
	expect(await ask({ 'x-signalbox-session': first.sessionToken })).toMatchObject({ role: 'operator', via: 'browser' });
	const protocols = sessionProtocols(first.sessionToken).join(', ');
	expect(await ask({ 'sec-websocket-protocol': protocols })).toMatchObject({ role: 'operator', via: 'browser' });
	const old = createHmac('sha256', first.cookie).update('signalbox decision header').digest('base64url');
	for (const wrong of ['', second.sessionToken, first.cookie, old]) {
		await expect(ask({ 'x-signalbox-session': wrong })).rejects.toThrow(/half of its sign-in/);
		await expect(ask({ 'sec-websocket-protocol': sessionProtocols(wrong).join(', ') })).rejects.toThrow(
			/half of its sign-in/,
		);
		clock += MINUTE;
	}
	for (let n = 0; n < 30; n++) await expect(ask({})).rejects.toThrow(/half of its sign-in/);
	expect(await auth.recognize({ headers, port })).toMatchObject({ role: 'operator' });
});

test('a sign-in of an earlier version without a session token is ignored and ended', async () => {
	const auth = open();
	const { cookie, sessionToken } = await auth.redeemLink(await auth.mintLink());
	const earlier = 'e'.repeat(43);
	const payload = { role: 'operator', expiresAt: new Date(clock + DAY).toISOString() };
	await journal.append({ id: 'earlier', kind: 'login:open', subject: digestOf(earlier), payload });
	await expect(auth.authenticate(withBoth({ cookie: earlier, sessionToken }))).rejects.toThrow(/half of its sign-in/);
	const closed: string[] = [];
	auth.onSignInClosed((hash) => closed.push(hash));
	await auth.closeOldSignIns();
	expect(closed).toEqual([digestOf(earlier)]);
	expect(await auth.authenticate(withCookie(earlier))).toBeNull();
	expect(await auth.authenticate(withBoth({ cookie, sessionToken }))).not.toBeNull();
});

test('a login ends after 30 days, or at once by logging out', async () => {
	const auth = open();
	const proof = withBoth(await auth.redeemLink(await auth.mintLink()));
	const closed: string[] = [];
	auth.onSignInClosed((hash) => closed.push(hash));
	clock += 30 * DAY - 1;
	const principal = await auth.authenticate(proof);
	expect(principal).not.toBeNull();
	const stands = () => auth.isValid(principal?.sessionHash ?? '');
	expect(stands()).toBe(true);
	clock += 1;
	expect(await auth.authenticate(proof)).toBeNull();
	expect(stands()).toBe(false);
	clock -= DAY;
	await auth.closeSignIn(principal?.sessionHash ?? '');
	expect(await auth.authenticate(proof)).toBeNull();
	expect(closed).toEqual([principal?.sessionHash]);
});

test('the eleventh failure of a kind within a minute is answered "too many"; right credentials still pass', async () => {
	const auth = open();
	const token = await auth.mintToken('viewer');
	const signIn = await auth.redeemLink(await auth.mintLink());
	for (let n = 0; n < 10; n++) expect(await auth.authenticate(withToken('x'.repeat(43)))).toBeNull();
	await expect(auth.authenticate(withToken('x'.repeat(43)))).rejects.toThrow(/Too many/);
	expect(await auth.authenticate(withToken(token))).not.toBeNull();
	expect(await auth.authenticate(withCookie('x'.repeat(43)))).toBeNull();
	expect(await auth.authenticate(withBoth(signIn))).not.toBeNull();
	for (let n = 0; n < 10; n++) await expect(auth.logIn('x')).rejects.toMatchObject({ code: 'auth/link-used' });
	await expect(auth.logIn('x')).rejects.toMatchObject({ code: 'auth/too-many' });
	clock += MINUTE;
	expect(await auth.authenticate(withToken('x'.repeat(43)))).toBeNull();
});

test('links and operator tokens of the last 24 hours are listed', async () => {
	const auth = open();
	const before = (await auth.minted()).length;
	await auth.mintToken('viewer');
	await auth.mintToken('edge');
	await auth.mintToken('operator');
	await auth.mintLink();
	expect((await auth.minted()).slice(before).map(({ kind, role }) => [kind, role])).toEqual([
		['token:mint', 'operator'],
		['link:mint', 'operator'],
	]);
	clock += DAY + MINUTE;
	expect(await auth.minted()).toEqual([]);
});

test('behind a proxy the cookie counts at the address that browsers know, and goes by https alone', async () => {
	const origin = 'https://hub.example';
	const auth = createAuth({ journal, host: 'hub.example', origin, now: () => clock });
	const signIn = await auth.redeemLink(await auth.mintLink('viewer'));
	const set = auth.cookieFor({ port: PORT }, signIn.cookie);
	expect(set).toMatch(/^__Host-signalbox=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
	const by = (host: string) => ({
		headers: { host, cookie: set.split(';', 1)[0] ?? '', 'x-signalbox-session': signIn.sessionToken },
		port: PORT,
	});
	expect(await auth.authenticate(by('hub.example'))).toMatchObject({ role: 'viewer', via: 'browser' });
	for (const host of [`hub.example:${PORT}`, `127.0.0.1:${PORT}`, 'elsewhere.example']) {
		expect(await auth.authenticate(by(host)), host).toBeNull();
	}
	const judged = (host: string, from: string) =>
		judgeOrigin(
			{ ...by(host), headers: { host, origin: from }, method: 'POST', url: '/login', hostCount: 1, upgrade: false },
			auth,
		);
	expect(judged('hub.example', origin)).toBeNull();
	for (const from of ['http://hub.example', 'https://elsewhere.example', 'null'])
		expect(judged('hub.example', from), from).toBe('auth/origin');
	expect(judged('elsewhere.example', 'https://elsewhere.example')).toBe('auth/host');
});
