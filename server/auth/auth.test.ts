import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JournalStore } from '../store/journal-store.ts';
import { openSqliteJournal } from '../store/sqlite-journal.ts';
import { createAuth } from './auth.ts';

const PORT = 7777;
const HOST = `signalbox.localhost:${PORT}`;
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

const open = () => createAuth({ journal, now: () => clock });
const withToken = (token: string, host = HOST) => ({ headers: { host, authorization: `Bearer ${token}` }, port: PORT });
const withCookie = (cookie: string, host = HOST) => ({
	headers: { host, cookie: `a=b; signalbox-${PORT}=${cookie}` },
	port: PORT,
});

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
	const { cookie, headerToken } = await auth.redeemLink(link);
	const rows = JSON.stringify(journal.byKind(['token:mint', 'link:mint', 'link:use', 'login:open'], { limit: 100 }));
	expect(rows).toContain('login:open');
	for (const secret of [token, link, cookie, headerToken]) expect(rows).not.toContain(secret);
});

test('R137 a token is a token and a cookie is a cookie', async () => {
	const auth = open();
	const token = await auth.mintToken('operator');
	const link = await auth.mintLink();
	const { cookie, headerToken } = await auth.redeemLink(link);
	expect(auth.authenticate(withToken(token))).toMatchObject({ role: 'operator', via: 'token' });
	expect(auth.authenticate(withCookie(cookie))).toMatchObject({ role: 'operator', via: 'browser' });
	for (const wrong of [cookie, link, headerToken]) expect(auth.authenticate(withToken(wrong))).toBeNull();
	for (const wrong of [token, link, headerToken]) expect(auth.authenticate(withCookie(wrong))).toBeNull();
});

test('R135 the cookie counts on one host name only, a token on all', async () => {
	const auth = open();
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	const token = await auth.mintToken('viewer');
	for (const host of [`localhost:${PORT}`, `127.0.0.1:${PORT}`, `[::1]:${PORT}`, 'signalbox.localhost:1']) {
		expect(auth.authenticate(withCookie(cookie, host))).toBeNull();
		expect(auth.authenticate(withToken(token, host))).not.toBeNull();
	}
});

test('R136 a bearer token that is wrong is not made good by a cookie', async () => {
	const auth = open();
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	const { headers, port } = withCookie(cookie);
	expect(auth.authenticate({ headers: { ...headers, authorization: 'Bearer nonsense' }, port })).toBeNull();
	expect(auth.authenticate({ headers: { ...headers, authorization: '' }, port })).toBeNull();
});

test('R135 a cookie that another port has set beside ours does no harm', async () => {
	const auth = open();
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	const headers = { host: HOST, cookie: `signalbox-${PORT}=${'x'.repeat(43)}; signalbox-${PORT}=${cookie}` };
	expect(auth.authenticate({ headers, port: PORT })).toMatchObject({ via: 'browser' });
});

test('R138 a decision of a cookie session needs its own header token', async () => {
	const auth = open();
	const first = await auth.redeemLink(await auth.mintLink());
	const second = await auth.redeemLink(await auth.mintLink());
	const proof = withCookie(first.cookie);
	const principal = auth.authenticate(proof);
	if (!principal) throw new Error('not signed in');
	const ask = (header?: string) => () =>
		auth.demandHeaderToken(
			{ ...proof, headers: { ...proof.headers, ...(header === undefined ? {} : { 'x-signalbox-session': header }) } },
			principal,
		);
	expect(ask(first.headerToken)).not.toThrow();
	expect(auth.headerTokenFor(proof)).toBe(first.headerToken);
	for (const header of [undefined, '', second.headerToken, first.cookie])
		expect(ask(header)).toThrow(/x-signalbox-session/);
});

test('R141 R1014 a login ends after 30 days, or at once by logging out', async () => {
	const auth = open();
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	const proof = withCookie(cookie);
	const closed: string[] = [];
	auth.onLoginClosed((hash) => closed.push(hash));
	clock += 30 * DAY - 1;
	const principal = auth.authenticate(proof);
	expect(principal).not.toBeNull();
	const stands = () => auth.stands(principal?.sessionHash ?? '');
	expect(stands()).toBe(true);
	clock += 1;
	expect(auth.authenticate(proof)).toBeNull();
	expect(stands()).toBe(false);
	clock -= DAY;
	await auth.closeLogin(principal?.sessionHash ?? '');
	expect(auth.authenticate(proof)).toBeNull();
	expect(closed).toEqual([principal?.sessionHash]);
});

test('R142 the eleventh failure of a kind within a minute is told "too many"; right credentials still pass', async () => {
	const auth = open();
	const token = await auth.mintToken('viewer');
	const { cookie } = await auth.redeemLink(await auth.mintLink());
	for (let n = 0; n < 10; n++) expect(auth.authenticate(withToken('x'.repeat(43)))).toBeNull();
	expect(() => auth.authenticate(withToken('x'.repeat(43)))).toThrow(/Too many/);
	expect(auth.authenticate(withToken(token))).not.toBeNull();
	expect(auth.authenticate(withCookie('x'.repeat(43)))).toBeNull();
	expect(auth.authenticate(withCookie(cookie))).not.toBeNull();
	for (let n = 0; n < 10; n++) await expect(auth.logIn('x')).rejects.toMatchObject({ code: 'auth/link-used' });
	await expect(auth.logIn('x')).rejects.toMatchObject({ code: 'auth/too-many' });
	clock += MINUTE;
	expect(auth.authenticate(withToken('x'.repeat(43)))).toBeNull();
});

test('R154 links and operator tokens of the last 24 hours are listed', async () => {
	const auth = open();
	const before = auth.minted().length;
	await auth.mintToken('viewer');
	await auth.mintToken('edge');
	await auth.mintToken('operator');
	await auth.mintLink();
	expect(
		auth
			.minted()
			.slice(before)
			.map(({ kind, role }) => [kind, role]),
	).toEqual([
		['token:mint', 'operator'],
		['link:mint', 'operator'],
	]);
	clock += DAY + MINUTE;
	expect(auth.minted()).toEqual([]);
});
