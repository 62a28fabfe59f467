import { describe, expect, test, vi } from 'vitest';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import type { startHubRig } from '../../testing/hub-rig.ts';
import { hubsOfTests } from '../../testing/hubs-of-tests.ts';
import { type Assertion, createSoftAuthenticator } from '../../testing/soft-authenticator.ts';
import { openHubDatabase } from '../database/database.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';

vi.setConfig({ testTimeout: 60_000 });

type Hub = Awaited<ReturnType<typeof startHubRig>>;
type Authenticator = ReturnType<typeof createSoftAuthenticator>;

describe.runIf(postgresPrograms !== undefined)('passkeys of a hub', () => {
	const { newDatabase, start } = hubsOfTests();
	let databaseUrl: string;
	async function startOne(): Promise<Hub> {
		databaseUrl = await newDatabase();
		return start(databaseUrl);
	}
	const authenticatorOf = ({ url }: Hub) => createSoftAuthenticator({ rpId: url.hostname, origin: url.origin });
	const headerOf = (answer: unknown) => ({
		[PASSKEY_HEADER]: Buffer.from(JSON.stringify(answer)).toString('base64url'),
	});

	/** A browser of a person, and what enrolling takes. */
	async function browserOf(hub: Hub, person: number) {
		const { headers } = await hub.signIn(person);
		async function post(path: string, body: unknown, more: Record<string, string> = {}) {
			const answer = await fetch(`${hub.url.origin}${path}`, {
				method: 'POST',
				headers: { ...headers, ...more, origin: hub.url.origin, 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			const text = await answer.text();
			return { status: answer.status, body: JSON.parse(text || '{}') as { challenge: string } };
		}
		/** The same with the answer of a passkey to exactly this request. */
		async function postBy(by: Authenticator | undefined, path: string, body: object) {
			const challenge = await post('/api/hub/passkeys/challenge', { path, body });
			return post(path, body, by ? headerOf(by.assert(challenge.body.challenge)) : {});
		}
		/** Enrols `key`; `by` answers for it. Gives the status of whatever refused it, or 200. */
		async function enrol(key: Authenticator, by?: Authenticator, name = 'key'): Promise<number> {
			const begun = await postBy(by, '/api/hub/passkeys/options', {});
			if (begun.status !== 200) return begun.status;
			return (await post('/api/hub/passkeys', { name, response: key.register(begun.body.challenge) })).status;
		}
		const list = async () => {
			const answer = await fetch(`${hub.url.origin}/api/hub/passkeys`, { headers });
			return ((await answer.json()) as { passkeys: { id: string; label: string }[] }).passkeys;
		};
		return { post, postBy, enrol, list };
	}
	/** Signs in by a passkey that was asked at one replica and answers at another. */
	async function signInBy(
		{ url }: Hub,
		key: Authenticator,
		{ at = url.origin, change = (_: Assertion): void => undefined, challenge = '', headers = {} } = {},
	) {
		const post = (origin: string, path: string, more: object = {}) =>
			fetch(`${origin}${path}`, {
				method: 'POST',
				headers: { origin, 'content-type': 'application/json', ...more },
				body: '{}',
			});
		const issued = (await (await post(url.origin, '/login/passkey/challenge')).json()) as { challenge: string };
		const answer = headerOf(key.assert(challenge || issued.challenge, change));
		const answered = await post(at, '/login/passkey', { ...answer, ...headers });
		const again = await post(at, '/login/passkey', answer);
		return { status: answered.status, again: again.status, cookie: answered.headers.get('set-cookie') ?? '' };
	}

	test('R2038 one enrols a passkey of one’s own by a fresh sign-in, the next by one that there is, and takes none but one’s own away', async () => {
		const hub = await startOne();
		const ann = await browserOf(hub, await hub.person('ann', [{ role: 'viewer' }]));
		const ben = await browserOf(hub, await hub.person('ben', [{ role: 'viewer' }]));
		const [first, second, third, ofBen] = Array.from({ length: 4 }, () => authenticatorOf(hub)) as [
			Authenticator,
			Authenticator,
			Authenticator,
			Authenticator,
		];
		expect(await ann.enrol(first, undefined, 'laptop')).toBe(200);
		expect(await ben.enrol(ofBen)).toBe(200);
		// The same one, and one whose owner shows none or another's.
		expect(await ann.enrol(first, first)).toBe(403);
		expect(await ann.enrol(second)).toBe(403);
		expect(await ann.enrol(second, ofBen)).toBe(403);
		expect(await ann.enrol(second, first, 'phone')).toBe(200);
		expect((await ann.list()).map(({ label }) => label)).toEqual(['laptop', 'phone']);
		expect((await ben.list()).map(({ id }) => id)).toEqual([ofBen.id]);
		// An enrolment counts for the sign-in that began it, and once.
		const begun = (await ann.postBy(first, '/api/hub/passkeys/options', {})).body;
		const answer = { name: 'x', response: third.register(begun.challenge) };
		expect((await ben.post('/api/hub/passkeys', answer)).status).toBe(403);
		expect((await ann.post('/api/hub/passkeys', answer)).status).toBe(200);
		expect((await ann.post('/api/hub/passkeys', answer)).status).toBe(403);

		expect((await ben.post(`/api/hub/passkeys/${first.id}`, { action: 'revoke' })).status).toBe(404);
		for (const { id } of await ann.list())
			expect((await ann.post(`/api/hub/passkeys/${id}`, { action: 'revoke' })).status).toBe(200);
		expect(await ann.list()).toEqual([]);
		const database = openHubDatabase(databaseUrl, () => undefined);
		await database.query("UPDATE logins SET made_at = made_at - interval '11 minutes'");
		await database.close();
		expect((await ann.post('/api/hub/passkeys/options', {})).body).toMatchObject({ error: { code: 'passkey/stale' } });
		// One that was taken away never comes back.
		const fresh = await browserOf(hub, await hub.person('ann'));
		expect(await fresh.enrol(first)).toBe(403);
		expect(await fresh.enrol(authenticatorOf(hub))).toBe(200);
	});

	test('an action that lets a person in or makes an admin needs the passkey of its author, if any, for exactly that request', async () => {
		const hub = await startOne();
		const ada = await browserOf(hub, await hub.person('ada', [{ role: 'admin' }]));
		const [key, ofBen] = [authenticatorOf(hub), authenticatorOf(hub)];
		const ben = await hub.person('ben');
		const path = `/api/hub/people/${ben}/roles`;
		const role = { action: 'give', role: 'viewer' };
		expect((await ada.post(path, role)).status).toBe(200);
		expect(await ada.enrol(key)).toBe(200);
		expect(await (await browserOf(hub, ben)).enrol(ofBen)).toBe(200);
		const more = { action: 'give', role: 'admin' };
		const refused = async (answer: Promise<{ body: object }>, code: string) =>
			expect((await answer).body).toMatchObject({ error: { code } });
		await refused(ada.post(path, more), 'passkey/needed');
		await refused(ada.postBy(ofBen, path, more), 'passkey/refused');
		const { challenge } = (await ada.post('/api/hub/passkeys/challenge', { path, body: role })).body;
		await refused(ada.post(path, more, headerOf(key.assert(challenge))), 'passkey/refused');
		await refused(ada.post('/api/hub/tokens', { name: 'tool' }), 'passkey/needed');
		await refused(ada.post('/api/hub/codes', { team: 'shop' }), 'passkey/needed');
		expect((await ada.postBy(key, path, more)).status).toBe(200);
		expect((await ada.postBy(key, '/api/hub/codes', { team: 'shop' })).status).toBe(200);
	});

	test('an admin signs in by a passkey without any provider, at any replica; nobody else does, and no answer counts twice', async () => {
		const one = await startOne();
		const other = await start(databaseUrl, one.home);
		const keyOf = async (name: string, roles: HubRole[]) => {
			const id = await one.person(name, roles);
			const key = authenticatorOf(one);
			expect(await (await browserOf(one, id)).enrol(key)).toBe(200);
			return { id, key };
		};
		const page = async () => (await fetch(`${one.url.origin}/login`)).text();
		const viewer = await keyOf('vic', [{ role: 'viewer' }]);
		expect(await page()).not.toContain('data-prove>');
		const admin = await keyOf('ada', [{ role: 'admin' }]);
		expect(await page()).toContain('data-prove>');

		const signedIn = await signInBy(one, admin.key);
		expect([signedIn.status, signedIn.again]).toEqual([200, 403]);
		expect(signedIn.cookie).toMatch(/SameSite=Strict; Max-Age=43200$/);
		const known = await one.withPeople((_, signIns) => signIns.list(admin.id));
		expect(known.map(({ via }) => via)).toContain('passkey');
		// Asked at one replica, answered at the other: the address is that of the pages.
		const issued = (await (
			await fetch(`${other.url.origin}/login/passkey/challenge`, {
				method: 'POST',
				headers: { origin: other.url.origin, 'content-type': 'application/json' },
				body: '{}',
			})
		).json()) as { challenge: string };
		expect((await signInBy(one, admin.key, { challenge: issued.challenge })).status).toBe(200);

		expect((await signInBy(one, viewer.key)).status).toBe(403);
		expect((await signInBy(one, authenticatorOf(one))).status).toBe(403);
		expect((await signInBy(one, admin.key, { challenge: 'x'.repeat(43) })).status).toBe(403);
		const spoil = ({ signature }: Assertion) => void signature.reverse();
		expect((await signInBy(one, admin.key, { change: spoil })).status).toBe(403);
		await one.withPeople((people) => people.setDisabled(admin.id, true));
		expect([403, 429]).toContain((await signInBy(one, admin.key)).status);
		await one.withPeople((people) => people.setDisabled(admin.id, false));
		await one.withPeople((people) => people.removeRole(admin.id, { role: 'admin' }));
		expect([403, 429]).toContain((await signInBy(one, admin.key)).status);
		expect(await page()).not.toContain('data-prove>');
	});
});
