import http from 'node:http';
import { io as connect } from 'socket.io-client';
import { describe, expect, test, vi } from 'vitest';
import { sessionProtocols } from '#lib/contract/access/session-token.ts';
import { hubsOfTests } from '../../testing/hubs-of-tests.ts';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import { openHubDatabase } from '../database/database.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.runIf(postgresPrograms !== undefined)('sign-ins of a hub', () => {
	const { newDatabase, open, start } = hubsOfTests();
	/** Asks a replica as the proxy before it does: by the name that browsers know. */
	const askBehind = (port: number, host: string, path: string, headers: http.OutgoingHttpHeaders) =>
		new Promise<number>((resolve, reject) => {
			http
				.get({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, (answer) => {
					answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
				})
				.once('error', reject);
		});

	test('a sign-in counts at every replica, and one that is ended anywhere ends everywhere, with its live connections', async () => {
		const databaseUrl = await newDatabase();
		const one = await start(databaseUrl);
		const other = await start(databaseUrl, undefined, undefined, { behind: one.url, checkMs: 50 });
		const ann = await one.person('ann', [{ role: 'viewer' }]);
		const [browser, second] = [await one.signIn(ann), await one.signIn(ann)];
		const atOther = (headers: http.OutgoingHttpHeaders, path = '/api/sessions') =>
			askBehind(other.port, one.url.host, path, headers);
		expect(await atOther(browser.headers)).toBe(200);
		expect(await atOther({ ...browser.headers, 'x-signalbox-session': 'x'.repeat(43) })).toBe(401);
		expect(await atOther({ ...browser.headers, cookie: browser.headers.cookie.replace(/.$/, '_') })).toBe(401);

		const live = async ({ headers: { cookie }, sessionToken }: typeof browser) => {
			const socket = connect(`http://127.0.0.1:${other.port}`, {
				...{
					transports: ['websocket'],
					forceNew: true,
					reconnection: false,
					protocols: sessionProtocols(sessionToken),
				},
				extraHeaders: { cookie, origin: one.url.origin, host: one.url.host },
			});
			await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
			open.push(async () => void socket.disconnect());
			return socket;
		};
		const [ended, stays] = [await live(browser), await live(second)];
		const cut = new Promise<void>((resolve) => ended.once('disconnect', () => resolve()));
		expect((await browser.post('/logout', {})).status).toBe(204);
		await cut;
		expect(await atOther(browser.headers)).toBe(401);
		expect(await atOther(second.headers)).toBe(200);
		expect(stays.connected).toBe(true);

		// What somebody may changes with the next request, and a connection is made again for it.
		const again = new Promise<void>((resolve) => stays.once('disconnect', () => resolve()));
		await one.withPeople((people) => people.removeRole(ann, { role: 'viewer' }));
		expect(await atOther(second.headers)).toBe(403);
		await again;
		const third = await one.signIn(ann);
		await one.withPeople((people) => people.setDisabled(ann, true));
		expect(await atOther(third.headers)).toBe(401);
		expect((await one.signIn(ann)).cookie).toBe('');
	});

	test('a link signs one browser in, whichever replica is asked, and no sign-in outlives its twelve hours', async () => {
		const databaseUrl = await newDatabase();
		const hub = await start(databaseUrl);
		const token = await hub.withPeople(async (people, signIns) => signIns.mintLink(await people.owner()));
		const swap = () =>
			fetch(`${hub.url.origin}/login`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', origin: hub.url.origin },
				body: JSON.stringify({ token }),
			});
		const answers = await Promise.all(Array.from({ length: 6 }, swap));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410]);
		expect(answers.find(({ status }) => status === 200)?.headers.get('set-cookie')).toContain(`Max-Age=${12 * 3600}`);
		for (let n = 0; n < 5; n += 1) await swap();
		expect((await swap()).status).toBe(429);

		const client = await hub.signIn();
		expect(await (await client.get('/api/me')).json()).toMatchObject({
			hub: { name: 'Owner', roles: [{ role: 'admin' }, { role: 'operator' }] },
			minted: [{ kind: 'link:mint' }, { kind: 'link:mint' }],
		});
		const database = openHubDatabase(databaseUrl, () => undefined);
		const [life] = await database.query<{ hours: number }>(
			'SELECT max(extract(epoch FROM until - made_at) / 3600)::int AS hours FROM logins',
		);
		expect(life).toEqual({ hours: 12 });
		await database.query('UPDATE logins SET until = now()');
		await database.close();
		expect((await client.get('/api/me')).status).toBe(401);
	});

	test('who gave or removed which role, or switched whom off, is in the journal of each team concerned', async () => {
		const databaseUrl = await newDatabase();
		const hub = await start(databaseUrl);
		const [shop, web] = await hub.withPeople(async (people) => [
			await people.teamOf('shop'),
			await people.teamOf('web'),
		]);
		const [ann, owner] = [await hub.person('ann'), await hub.signIn()];
		const change = (path: string, body: object) => owner.post(`/api/hub/people/${ann}${path}`, body);
		const role = { role: 'viewer', team: shop };
		expect((await change('/roles', { action: 'give', ...role })).status).toBe(200);
		expect((await change('/roles', { action: 'take', ...role })).status).toBe(200);
		expect((await change('/roles', { action: 'take', ...role })).status).toBe(404);
		expect((await change('/roles', { action: 'give', role: 'viewer' })).status).toBe(200);
		expect((await change('', { action: 'disable' })).status).toBe(200);
		const database = openHubDatabase(databaseUrl, () => undefined);
		const rows = await database.query<{ team: number; kind: string; subject: string; payload: string }>(
			'SELECT team, kind, subject, payload FROM hub_journal ORDER BY team, n',
		);
		await database.close();
		const journaled = rows.map(({ team, kind, subject, payload }) => [
			team,
			kind,
			subject,
			JSON.parse(payload).by.name,
		]);
		const everywhere = [shop, web].flatMap((team) => [
			[team, 'person:give', `person:${ann}`, 'Owner'],
			[team, 'person:disable', `person:${ann}`, 'Owner'],
		]);
		const inShop = ['person:give', 'person:take'].map((kind) => [shop, kind, `person:${ann}`, 'Owner']);
		expect(journaled).toEqual([...inShop, ...everywhere]);
	});

	test('R2032 a token reads what its person reads, until it ends, and can do nothing else', async () => {
		const hub = await start(await newDatabase());
		const laptop = await hub.machine('laptop');
		laptop.send('s1', asLine(samplePrompt('s1', 1, { project: 'shop' })));
		const owner = await hub.signIn();
		await vi.waitFor(async () => expect((await owner.get(`/api/sessions/${laptop.edge}/s1`)).status).toBe(200), 20_000);
		const { token } = (await (await owner.post('/api/hub/tokens', { name: 'grafana', days: 2 })).json()) as {
			token: string;
		};
		const headers = { authorization: `Bearer ${token}` };
		const get = (path: string) => fetch(`${hub.url.origin}${path}`, { headers });
		expect((await get(`/api/sessions/${laptop.edge}/s1`)).status).toBe(200);
		expect(await (await get('/api/me')).json()).toMatchObject({
			role: 'viewer',
			hub: { roles: [{ role: 'viewer' }, { role: 'viewer' }] },
		});
		expect((await get('/api/hub/people')).status).toBe(403);
		const post = (path: string, body: object) =>
			fetch(`${hub.url.origin}${path}`, {
				method: 'POST',
				headers: { ...headers, 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
		expect((await post('/api/hub/tokens', { name: 'more' })).status).toBe(403);
		// It is no cookie, and a cookie is no token.
		const cookie = `signalbox-${hub.url.port}=${token}`;
		expect((await fetch(`${hub.url.origin}/api/me`, { headers: { ...owner.headers, cookie } })).status).toBe(401);
		const secret = owner.headers.cookie.split('=')[1] ?? '';
		const asToken = { headers: { authorization: `Bearer ${secret}` } };
		expect((await fetch(`${hub.url.origin}/api/me`, asToken)).status).toBe(401);

		const { entries } = (await (await owner.get('/api/hub/sign-ins')).json()) as {
			entries: { id: string; via: string; name: string; mine: boolean }[];
		};
		expect(entries.map(({ via, name, mine }) => ({ via, name, mine }))).toMatchObject([
			{ via: 'token', name: 'grafana', mine: false },
			{ via: 'link', mine: true },
		]);
		// It ends no sign-in, not even itself.
		for (const { id } of entries)
			expect((await post(`/api/hub/sign-ins/${id}`, { action: 'revoke' })).status).toBe(403);
		expect((await post('/logout', {})).status).toBe(403);
		expect([(await get('/api/me')).status, (await owner.get('/api/me')).status]).toEqual([200, 200]);
		expect((await owner.post(`/api/hub/sign-ins/${entries[0]?.id}`, { action: 'revoke' })).status).toBe(200);
		expect((await get('/api/me')).status).toBe(401);
	});
});
