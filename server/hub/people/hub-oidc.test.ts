import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SESSION_HEADER } from '#lib/contract/access/session-token.ts';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import { freePort } from '../../process/free-port.ts';
import { hubsOfTests } from '../../testing/hubs-of-tests.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { type Claims, startStandInProvider } from '../testing/stand-in-provider.ts';
import type { OidcConfig } from './oidc.ts';

vi.setConfig({ testTimeout: 60_000 });

/** As much of a browser as signing in takes: it keeps cookies by origin, and follows where it is sent. */
function createBrowser() {
	const jar = new Map<string, Map<string, string>>();
	async function visit(url: string): Promise<Response> {
		const { origin } = new URL(url);
		const cookies = jar.get(origin) ?? new Map<string, string>();
		jar.set(origin, cookies);
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const answer = await fetch(url, {
			redirect: 'manual',
			headers: { accept: 'text/html', ...(cookie && { cookie }) },
		});
		for (const set of answer.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) cookies.delete(name);
			else cookies.set(name, value);
		}
		return answer;
	}
	return {
		jar,
		visit,
		/** Follows redirects until one leads to such an address, which is not asked for. */
		async follow(from: string, until: RegExp): Promise<string> {
			let url = from;
			for (let steps = 0; steps < 10 && !until.test(url); steps += 1) {
				const location = (await visit(url)).headers.get('location');
				if (location === null) throw new Error(`${url} leads nowhere.`);
				url = new URL(location, url).href;
			}
			return url;
		},
	};
}

describe.runIf(postgresPrograms !== undefined)('signing in at a provider', () => {
	const { newDatabase, open, start: startRig } = hubsOfTests();
	let idp: Awaited<ReturnType<typeof startStandInProvider>>;
	beforeEach(async () => {
		idp = await startStandInProvider();
		open.push(idp.stop);
	});

	async function start(changes: Partial<OidcConfig> = {}) {
		const oidc: OidcConfig = {
			...{ name: 'Example Org', issuer: idp.issuer, clientId: idp.client.id, secret: idp.client.secret },
			...{ scope: idp.scope, groupsClaim: 'groups' },
			roles: [
				{ group: 'dev', role: 'operator', team: 'shop' },
				{ group: 'web', role: 'viewer', team: 'web', project: 'site' },
				{ group: 'audit', role: 'auditor' },
			],
			...changes,
		};
		const hub = await startRig(await newDatabase(), undefined, undefined, { oidc });
		idp.allow(hub.url);
		return hub;
	}
	type Hub = Awaited<ReturnType<typeof start>>;

	const account = (groups: string[], email = 'ann@example.org') => ({ name: 'Ann', email, groups });
	/** As far as the provider has sent the browser back. */
	async function comeBack(hub: Hub, who: string, browser = createBrowser()) {
		idp.signInAs(who);
		const back = await browser.follow(`${hub.url.origin}/login/oidc?to=/decisions`, /\/login\/oidc\/callback/);
		return { browser, back };
	}
	/** Where the callback leads: to the page of signing in, with a link's secret or with why not. */
	const finish = async (browser: ReturnType<typeof createBrowser>, back: string) =>
		new URL((await browser.visit(back)).headers.get('location') ?? '', back);
	async function redeem(hub: Hub, at: URL) {
		const answer = await fetch(`${hub.url.origin}/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', origin: hub.url.origin },
			body: JSON.stringify({ token: at.hash.slice(1) }),
		});
		const { sessionToken } = (await answer.json()) as { sessionToken: string };
		const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
		const headers = { cookie, [SESSION_HEADER]: sessionToken };
		return (path: string) => fetch(`${hub.url.origin}${path}`, { headers });
	}
	async function signIn(hub: Hub, who: string) {
		const { browser, back } = await comeBack(hub, who);
		return redeem(hub, await finish(browser, back));
	}
	const rolesOf = async (get: (path: string) => Promise<Response>) =>
		((await (await get('/api/me')).json()) as { hub: { name: string; roles: HubRole[] } }).hub.roles;

	test('R2034 who signs in at the provider is a person by issuer and subject, with the roles of their groups as they are at each sign-in', async () => {
		const hub = await start();
		const { '/login': page } = { '/login': await (await fetch(`${hub.url.origin}/login`)).text() };
		expect(page).toContain('href="/login/oidc">Sign in with Example Org</a>');
		idp.accounts.set('ann', account(['dev', 'unknown']));
		const { browser, back } = await comeBack(hub, 'ann');
		const landed = await finish(browser, back);
		expect([landed.pathname, landed.searchParams.get('to')]).toEqual(['/login', '/decisions']);
		const ann = await redeem(hub, landed);
		const [shop] = await hub.withPeople((people) => people.teams());
		expect(await (await ann('/api/me')).json()).toMatchObject({
			role: 'operator',
			hub: { name: 'Ann', roles: [{ role: 'operator', team: shop?.id }] },
		});
		const { entries } = (await (await ann('/api/hub/sign-ins')).json()) as { entries: object[] };
		expect(entries).toMatchObject([{ via: 'oidc', who: 'Ann', mine: true }]);

		// Another one with the same address is another person, who is nobody here.
		idp.accounts.set('other-ann', account([]));
		const other = await comeBack(hub, 'other-ann');
		expect((await finish(other.browser, other.back)).search).toBe('?why=roleless');
		const known = await hub.withPeople((people) => people.list());
		expect(known.map(({ email, roles }) => [email, roles.length])).toEqual([
			['ann@example.org', 1],
			['ann@example.org', 0],
		]);

		// What an admin gave stays; what groups gave goes with them, also for who is signed in already.
		const id = known.find(({ roles }) => roles.length > 0)?.id ?? 0;
		await hub.withPeople((people) => people.give(id, { role: 'viewer' }));
		idp.accounts.set('ann', { ...account(['web']), name: 'Ann of Web' });
		const again = await signIn(hub, 'ann');
		const web = (await hub.withPeople((people) => people.teams())).find(({ name }) => name === 'web');
		const expected = [{ role: 'viewer' }, { role: 'viewer', team: web?.id, project: 'site' }];
		expect(await rolesOf(again)).toEqual(expected);
		expect(await rolesOf(ann)).toEqual(expected);

		await hub.withPeople((people) => people.setDisabled(id, true));
		const off = await comeBack(hub, 'ann');
		expect((await finish(off.browser, off.back)).search).toBe('?why=disabled');
		expect((await ann('/api/me')).status).toBe(401);
	});

	test('R2035 attack: an answer that is not the one to what this browser was sent for signs nobody in, and a code counts once', async () => {
		const hub = await start();
		idp.accounts.set('ann', account(['dev']));
		const refused = async (back: string, browser: ReturnType<typeof createBrowser>) => {
			const at = await finish(browser, back);
			expect([back, at.search, at.hash]).toEqual([back, '?why=refused', '']);
		};
		const changed = (back: string, name: string, value: string) => {
			const url = new URL(back);
			url.searchParams.set(name, value);
			return url.href;
		};
		for (const [name, value] of [
			['state', 'x'.repeat(43)],
			['iss', 'https://elsewhere.example'],
			['code', 'x'.repeat(43)],
		] as const) {
			const { browser, back } = await comeBack(hub, 'ann');
			await refused(changed(back, name, value), browser);
		}
		const stolen = await comeBack(hub, 'ann');
		await refused(stolen.back, createBrowser());
		// Another browser, which was sent as well, is not the one that this answer is for.
		const other = await comeBack(hub, 'ann');
		await refused(stolen.back, other.browser);

		const spoilt: [string, (claims: Claims) => Claims][] = [
			['nonce', (claims) => ({ ...claims, nonce: 'another' })],
			['iss', (claims) => ({ ...claims, iss: 'https://elsewhere.example' })],
			['aud', (claims) => ({ ...claims, aud: 'another-client' })],
			['exp', (claims) => ({ ...claims, exp: Number(claims.iat) - 3600, iat: Number(claims.iat) - 7200 })],
			['sub', ({ sub: _, ...claims }) => claims],
		];
		for (const [name, change] of spoilt) {
			idp.spoil(change);
			const { browser, back } = await comeBack(hub, 'ann');
			const at = await finish(browser, back);
			expect([name, at.search, at.hash]).toEqual([name, '?why=refused', '']);
		}
		for (const signature of ['none', 'another key', 'the client’s secret'] as const) {
			idp.spoil((claims) => claims, signature);
			const { browser, back } = await comeBack(hub, 'ann');
			const at = await finish(browser, back);
			expect([signature, at.search, at.hash]).toEqual([signature, '?why=refused', '']);
		}
		idp.spoil(undefined);

		const { browser, back } = await comeBack(hub, 'ann');
		const kept = new Map(browser.jar.get(hub.url.origin));
		expect((await finish(browser, back)).hash).not.toBe('');
		await refused(back, browser);
		// Also with the cookie that was taken away.
		browser.jar.set(hub.url.origin, kept);
		await refused(back, browser);
		const signIns = await hub.withPeople((_, store) => store.list(null));
		expect(signIns).toEqual([]);
	});

	test('its cookie alone comes with a request from another site, by its own path, and it redirects to no page but one of ours', async () => {
		const hub = await start();
		const begun = await fetch(`${hub.url.origin}/login/oidc?to=//elsewhere.example`, { redirect: 'manual' });
		expect(begun.headers.get('set-cookie')).toMatch(
			/^signalbox-oidc-\d+=[\w-]+; Path=\/login\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/,
		);
		const target = new URL(begun.headers.get('location') ?? '');
		expect(Object.fromEntries(target.searchParams)).toMatchObject({
			...{ response_type: 'code', code_challenge_method: 'S256', scope: idp.scope },
			redirect_uri: `${hub.url.origin}/login/oidc/callback`,
		});
		for (const secret of ['state', 'nonce', 'code_challenge']) expect(target.searchParams.get(secret)).toHaveLength(43);
		idp.accounts.set('ann', account(['dev']));
		idp.signInAs('ann');
		const browser = createBrowser();
		const back = await browser.follow(`${hub.url.origin}/login/oidc?to=//elsewhere.example`, /\/login\/oidc\/callback/);
		expect((await finish(browser, back)).searchParams.get('to')).toBe('/');
	});

	test('R2037 a provider that is away keeps nobody out who is signed in, nor the owner of the hub', async () => {
		const hub = await start();
		idp.accounts.set('ann', account(['dev']));
		const ann = await signIn(hub, 'ann');
		const beyond = await comeBack(hub, 'ann');
		open.splice(open.indexOf(idp.stop), 1);
		await idp.stop();
		expect((await ann('/api/sessions')).status).toBe(200);
		expect((await finish(beyond.browser, beyond.back)).search).toBe('?why=away');
		const dead = await start({ issuer: `http://127.0.0.1:${await freePort()}` });
		const tried = await fetch(`${dead.url.origin}/login/oidc`, { redirect: 'manual' });
		expect(tried.headers.get('location')).toBe('/login?why=away');
		const owner = await dead.signIn();
		expect((await owner.get('/api/hub/people')).status).toBe(200);
	});
});
