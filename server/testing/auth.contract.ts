import { describe, expect, test } from 'vitest';
import type { Auth } from '../access/auth.ts';
import type { SignIn } from '../access/credentials.ts';

/** What is asked of whoever lets people in, over whatever store. */
export interface AuthUnderTest {
	auth: Auth;
	/** By which its cookie counts, with its port. */
	host: string;
	port: number;
	mintLink(): Promise<string>;
	mintToken(): Promise<string>;
}

/** Nobody's secrets, as somebody may send them. */
const HOSTILE = [
	...['', ' ', "'; DROP TABLE logins; --", '\\', '%', '_'.repeat(43), 'x'.repeat(43), 'x'.repeat(100_000)],
	...['\0', `${'x'.repeat(42)}\0`, '\u202e\ufeff', '\ud800', '🔑', '{"$ne":null}', '__proto__', 'constructor'],
];
/** What browsers may call themselves. */
const NAMES = [
	"Robert'); DROP TABLE logins; --",
	'<img src=x onerror=alert(1)>',
	'\u202egnp.exe',
	'🧨'.repeat(500),
	'__proto__',
];

/** What a machine's journal and a hub's database both promise of those who come in. */
export function describeAuth(name: string, open: () => Promise<AuthUnderTest>) {
	describe(`sign-ins: ${name}`, () => {
		const bearer = ({ host, port }: AuthUnderTest, token: string) => ({
			headers: { host, authorization: `Bearer ${token}` },
			port,
		});
		const browser = ({ auth, host, port }: AuthUnderTest, { cookie, sessionToken }: SignIn) => {
			const [pair = ''] = auth.cookieFor({ port }, cookie).split(';', 1);
			return { headers: { host, cookie: pair, 'x-signalbox-session': sessionToken }, port };
		};

		test('of many who use one link at once one is let in', async () => {
			const { auth, mintLink } = await open();
			const link = await mintLink();
			const tries = await Promise.allSettled(Array.from({ length: 6 }, () => auth.logIn(link)));
			expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		});

		test('each secret counts as what it is, and as nothing else', async () => {
			const at = await open();
			const { auth } = at;
			const [link, token] = [await at.mintLink(), await at.mintToken()];
			const signIn = await auth.logIn(await at.mintLink());
			expect(await auth.authenticate(bearer(at, token))).toMatchObject({ via: 'token' });
			expect(await auth.authenticate(browser(at, signIn))).toMatchObject({ via: 'browser' });
			for (const other of [link, signIn.cookie, signIn.sessionToken])
				expect(await auth.authenticate(bearer(at, other))).toBeNull();
			for (const cookie of [link, token, signIn.sessionToken])
				expect(await auth.authenticate(browser(at, { ...signIn, cookie }))).toBeNull();
			for (const sessionToken of [link, token, signIn.cookie])
				await expect(auth.authenticate(browser(at, { ...signIn, sessionToken }))).rejects.toMatchObject({
					code: 'auth/half',
				});
			for (const other of [token, signIn.cookie])
				await expect(auth.logIn(other)).rejects.toMatchObject({ code: 'auth/link-used' });
		});

		test('a hostile secret lets nobody in and harms nobody', async () => {
			const at = await open();
			const signIn = await at.auth.logIn(await at.mintLink());
			for (const secret of HOSTILE) {
				const refused = await at.auth.logIn(secret).catch((error: { code?: string }) => error.code);
				expect(['auth/link-used', 'auth/too-many']).toContain(refused);
				const headers = { host: at.host, authorization: `Bearer ${secret}` };
				const found = await at.auth.authenticate({ headers, port: at.port }).catch(() => null);
				expect(found).toBeNull();
			}
			expect(await at.auth.authenticate(browser(at, signIn))).toMatchObject({ via: 'browser' });
		});

		test('a sign-in has the name that its browser gave, whatever that is', async () => {
			const at = await open();
			for (const name of NAMES) {
				const signIn = await at.auth.logIn(await at.mintLink(), name);
				expect(await at.auth.authenticate(browser(at, signIn))).toMatchObject({ name });
			}
		});

		test('a sign-in that is ended is over, and no other', async () => {
			const at = await open();
			const [one, other] = [await at.auth.logIn(await at.mintLink()), await at.auth.logIn(await at.mintLink())];
			const principal = await at.auth.authenticate(browser(at, one));
			await at.auth.closeSignIn(principal?.sessionHash ?? '');
			expect(await at.auth.authenticate(browser(at, one))).toBeNull();
			expect(await at.auth.recognize(browser(at, one))).toBeNull();
			expect(await at.auth.authenticate(browser(at, other))).not.toBeNull();
		});
	});
}
