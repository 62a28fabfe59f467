import { hash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { HubAction } from '#lib/contract/hub/hub-roles.ts';
import { Topic } from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { hubRights } from '#lib/contract/routes/hub-rights.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { routeUrl, splitRoute } from '#lib/contract/routes/route-spec.ts';
import { type RouteKey, routeSpecs } from '#lib/contract/routes/route-table.ts';
import { type HubTarget, may, mayAnywhere } from '#lib/hub/may.ts';
import { type HubFixture, type Mark, makeHubFixture, type Who } from '../../testing/hub-fixture.ts';
import { hubsOfTests } from '../../testing/hubs-of-tests.ts';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';

vi.setConfig({ testTimeout: 120_000 });

type Served = keyof typeof hubRights;

/** One request of a route: where it acts, which decides whether it is refused, and which texts its answer must have. */
interface Probe {
	params?: Record<string, string>;
	query?: Record<string, string>;
	body?: unknown;
	at?: { action: HubAction; place: HubTarget };
	shows?: (mark: Mark) => boolean;
	/** It ends the sign-in that it comes by. */
	ends?: true;
	/** What it is answered with but 200. */
	status?: number[];
}

/** What is said of what is not somebody's to see. */
const REFUSED = [
	'auth/forbidden',
	'session/not-found',
	'route/not-found',
	'person/not-found',
	'access/not-found',
	'approval/not-found',
	'grant/not-found',
	'feature/not-found',
];
const ONE_EACH: ReadonlySet<string> = new Set(['viewer-own', 'operator-own', 'auditor', 'gone']);
/** What watches a replica is answered before the pages are asked; it has a token of its own. */
const OF_REPLICAS: ReadonlySet<string> = new Set(['GET /health', 'GET /metrics']);

/** A row for each route that a hub serves; without one the types do not fit. */
function probesOf({ machines, own, far, target }: HubFixture, signIn: string): Record<Served, Probe[]> {
	const ofSession = (query?: Record<string, string>): Probe[] =>
		machines.map(({ session, key, place }) => ({
			params: { id: session },
			...(query && { query, shows: ({ text }) => text === `words-${key}` }),
			at: { action: 'read', place },
		}));
	const ofFeature = (more: Omit<Probe, 'shows'> = {}, ...words: string[]): Probe[] =>
		machines.map(({ feature, session, key, place }) => ({
			...more,
			params: { id: feature, sessionId: session, ...more.params },
			at: { action: 'read', place },
			shows: ({ text }) => words.some((word) => text === `${word}-${key}`),
		}));
	const ofEdge = (body?: unknown): Probe[] =>
		machines.map(({ edge, place: { team } }) => ({
			params: { id: String(edge) },
			body,
			at: { action: 'edges', place: { team } },
		}));
	const ofTicket = (action: HubAction, probe: Probe = {}): Probe[] =>
		machines.map(({ key, place }) => ({ ...probe, params: { id: `ticket-${key}` }, at: { action, place } }));
	const showing = (...words: string[]): Probe => ({ shows: ({ text }) => words.some((word) => text.startsWith(word)) });
	const ofPerson = (body: unknown, scope: HubTarget): Probe => ({
		...{ params: { id: String(target) }, body },
		at: { action: 'people', place: scope },
	});
	const given = { action: 'give', role: 'viewer' };
	return {
		'GET /login': [{}],
		'POST /login': [{ body: { token: 'x'.repeat(43) }, status: [410, 429] }],
		// This hub knows no provider.
		'GET /login/oidc': [{ status: [404] }],
		'GET /login/oidc/callback': [{ status: [404] }],
		'POST /login/passkey': [{ status: [403, 429] }],
		'POST /login/passkey/challenge': [{}],
		'POST /logout': [{ body: {}, ends: true, status: [204] }],
		'GET /api/me': [{}],
		'GET /api/openapi.json': [{}],
		'GET /api/places': [showing('mach-', 'team-', 'proj-')],
		'GET /api/sessions': [showing('mach-'), { query: { project: 'proj-a' } }, { query: { q: 'words' } }],
		'GET /api/search': [{ ...showing('words-'), query: { q: 'words' } }],
		'GET /api/sessions/:id': ofSession(),
		'GET /api/sessions/:id/events': ofSession({ limit: '9' }),
		'GET /api/sessions/:id/rows': ofSession({ limit: '9' }),
		'GET /api/sessions/:id/density': ofSession(),
		'GET /api/approvals': [showing('title-'), { query: { state: 'waiting' } }],
		'GET /api/approvals/:id': ofTicket('read'),
		// None of these machines lets anybody decide from the hub.
		'POST /api/approvals/:id': ofTicket('decide', { body: { decision: 'deny' }, status: [403] }),
		'GET /api/grants': [showing('title-', 'reason-'), { query: { state: 'active' } }],
		// No gate has told what a later call would share with these.
		'GET /api/grants/preview': machines.map(({ key, place }) => ({
			...{ query: { approvalId: `ticket-${key}` }, at: { action: 'grant', place }, status: [409] },
		})),
		// None of these machines lets anybody decide from the hub.
		'POST /api/grants': machines.map(({ key, place }) => ({
			...{ body: { approvalId: `ticket-${key}`, scope: 'once', reason: 'r' } },
			...{ at: { action: 'grant', place }, status: [403] },
		})),
		// They were made at the machines.
		'POST /api/grants/:id/revoke': machines.map(({ key, place }) => ({
			...{ params: { id: `grant-${key}` }, body: {}, at: { action: 'grant', place }, status: [403] },
		})),
		'GET /api/decisions': [showing('title-', 'reason-'), { query: { followed: 'true' } }],
		'GET /api/decisions/summary': [{}],
		'GET /api/hub/decisions': [{}],
		'GET /api/features': [showing('feat-', 'mach-'), { query: { team: 'team-own' } }, { query: { project: 'proj-b' } }],
		'GET /api/features/:id': ofFeature({}, 'feat', 'mach', 'docs', 'hand'),
		'GET /api/features/:id/recording': ofFeature(),
		'GET /api/features/:id/recording/moment': ofFeature({ query: { at: '0' } }),
		'GET /api/features/:id/recording/chapters': ofFeature({ query: { at: '0', kinds: 'denial' } }),
		'GET /api/features/:id/sessions/:sessionId/part': ofFeature({ query: { seq: '1' } }, 'words'),
		'GET /api/features/:id/sessions/:sessionId/rows': ofFeature({ query: { seq: '3' } }, 'words'),
		'GET /api/features/:id/sessions/:sessionId/events': ofFeature({ query: { limit: '9' } }, 'words'),
		'GET /api/features/:id/sessions/:sessionId/blobs/:sha': machines.flatMap(({ key }, index) =>
			ofFeature({ params: { sha: hash('sha256', `blob-${key}`) } }, 'blob').slice(index, index + 1),
		),
		'GET /api/features/:id/sessions/:sessionId/handoffs/:name': ofFeature({ params: { name: 'dev.md' } }, 'hand'),
		'GET /api/hub/edges': [{}],
		'POST /api/hub/codes': [
			{ body: { team: 'team-own' }, at: { action: 'edges', place: { team: own } } },
			{ body: { team: 'team-far' }, at: { action: 'edges', place: { team: far } } },
		],
		'POST /api/hub/edges/:id': ofEdge({ action: 'accept' }),
		'GET /api/hub/people': [showing('pers-')],
		'POST /api/hub/people/:id': [ofPerson({ action: 'enable' }, 'org')],
		'POST /api/hub/people/:id/roles': [
			ofPerson({ ...given, team: own }, { team: own }),
			ofPerson({ ...given, team: far }, { team: far }),
			ofPerson({ ...given, team: own, project: 'proj-a' }, { team: own, project: 'proj-a' }),
			ofPerson(given, 'org'),
		],
		'GET /api/hub/people/:id/roster': [{ params: { id: String(target) }, at: { action: 'people', place: 'org' } }],
		// No passkey is there to be signed.
		'POST /api/hub/people/:id/roster': [{ ...ofPerson({ passkey: 'x', answer: 'x' }, 'org'), status: [403] }],
		'GET /api/hub/sign-ins': [{}],
		'POST /api/hub/sign-ins/:id': [
			{ params: { id: signIn }, body: { action: 'revoke' }, at: { action: 'people', place: 'org' } },
		],
		'POST /api/hub/tokens': [{ body: { name: 'tool' } }],
		'GET /api/hub/policies': [{}],
		// Nothing waits there to be signed.
		'POST /api/hub/policies/:team/:version': [own, far].map((team) => ({
			...{ params: { team: String(team), version: '1' }, body: { answer: 'x' } },
			...{ at: { action: 'policies', place: { team } }, status: [403] },
		})),
		'GET /api/hub/passkeys': [{}],
		'POST /api/hub/passkeys': [{ body: { name: 'key', response: { id: 'x', rawId: 'x' } }, status: [403] }],
		'POST /api/hub/passkeys/:id': [{ body: { action: 'revoke' }, status: [404] }],
		'POST /api/hub/passkeys/challenge': [{ body: { path: '/api/hub/tokens', body: {} } }],
		'POST /api/hub/passkeys/options': [{}],
	};
}

/** What the tables say of somebody who asks for a route: served, or refused with one of these codes. */
function judge(key: RouteKey, { roles, gone }: Who): 'served' | string[] {
	const { access }: RouteSpec = routeSpecs[key];
	const right = new Map<string, HubAction | 'anybody' | 'person'>(Object.entries(hubRights)).get(key);
	if (access !== 'open') {
		if (gone) return ['auth/missing', 'auth/too-many'];
		if (!access.includes(mayAnywhere(roles, 'decide') ? 'operator' : 'viewer')) return ['auth/forbidden'];
	}
	if (right === undefined) return ['hub/at-machine'];
	if (right === 'anybody' || right === 'person') return 'served';
	return mayAnywhere(roles, right) ? 'served' : ['auth/forbidden'];
}

/** Every part of the path has to be something, or nothing is asked. */
function pathOf(key: RouteKey, { params = {}, query }: Probe): string {
	const parts = [...splitRoute(key)[1].matchAll(/:(\w+)/g)].map(([, part = '']) => part);
	const usual = key.includes('/api/sessions/:id') ? '1/s1' : key.includes('/api/features/:id') ? '1/f1' : 'x';
	const usualOf = (part: string) => (part === 'id' ? usual : 'x');
	return routeUrl(key, Object.fromEntries(parts.map((part) => [part, params[part] ?? usualOf(part)])), query);
}

/** Asks as this person, and holds the answer against the tables. Tells whether it was served. */
async function ask(marks: readonly Mark[], key: RouteKey, probe: Probe, who: Who): Promise<boolean> {
	const client = probe.ends ? who.spare : who.client;
	const path = pathOf(key, probe);
	const answer = await (key.startsWith('GET') ? client.get(path) : client.post(path, probe.body ?? {}));
	const text = await answer.text();
	const answered = `${key} ${path} as ${who.name}: ${answer.status} ${text.slice(0, 600)}`;
	const hidden = marks.filter((mark) => !mark.seen(who));
	expect(
		hidden.filter((mark) => text.includes(mark.text)),
		answered,
	).toEqual([]);
	const expected = judge(key, who);
	const isHere = !probe.at || may(who.roles, probe.at.action, probe.at.place);
	if (expected === 'served' && isHere) {
		expect(probe.status ?? [200], answered).toContain(answer.status);
		const shown = marks.filter((mark) => probe.shows?.(mark) && mark.seen(who) && !mark.text.startsWith('live-'));
		expect(
			shown.filter((mark) => !text.includes(mark.text)),
			answered,
		).toEqual([]);
		return true;
	}
	const { error } = JSON.parse(text) as { error: { code: string } };
	expect(expected === 'served' ? REFUSED : expected, answered).toContain(error.code);
	return false;
}

describe.runIf(postgresPrograms !== undefined)('what each role reaches at a hub', () => {
	const { newDatabase, open } = hubsOfTests();
	/** The hub with everything that was pushed. */
	async function openFixture() {
		const fixture = await makeHubFixture(await newDatabase());
		open.push(fixture.hub.stop);
		const owner = await fixture.hub.signIn();
		await vi.waitFor(async () => {
			const { decisions } = (await (await owner.get('/api/decisions')).json()) as { decisions: unknown[] };
			expect(decisions).toHaveLength(fixture.machines.length);
		}, 30_000);
		return { ...fixture, owner };
	}

	test('R2033 every route gives somebody of every role what the tables say, and nothing of where they are nobody', async () => {
		const fixture = await openFixture();
		const { entries } = (await (await fixture.owner.get('/api/hub/sign-ins')).json()) as {
			entries: { id: string; who: string }[];
		};
		const table = probesOf(fixture, entries.find(({ who }) => who === 'pers-target')?.id ?? '');
		expect(Object.keys(table).sort()).toEqual(Object.keys(hubRights).sort());
		let [served, refused] = [0, 0];
		for (const key of Object.keys(routeSpecs) as RouteKey[]) {
			if (OF_REPLICAS.has(key)) continue;
			// What a hub does not have is refused alike, whoever asks.
			const isHere = key in table;
			const asking = isHere ? fixture.everybody : fixture.everybody.filter(({ name }) => ONE_EACH.has(name));
			for (const probe of isHere ? table[key as Served] : [{}]) {
				const answers = await Promise.all(asking.map((who) => ask(fixture.marks, key, probe, who)));
				served += answers.filter(Boolean).length;
				refused += answers.filter((isServed) => !isServed).length;
			}
		}
		expect(served).toBeGreaterThan(Object.keys(hubRights).length);
		expect(refused).toBeGreaterThan(Object.keys(routeSpecs).length);
		expect(fixture.hub.lines.filter((line) => line.includes(' error '))).toEqual([]);
	});

	test('R2033 every topic sends each role what it may read, as it is and live, and nothing else', async () => {
		const { hub, everybody, machines, marks } = await openFixture();
		/** Of each kind of topic which there are, and who gets them. */
		const topics: [Topic, isFor: (who: Who) => boolean][][] = [
			[['sessions', () => true]],
			machines.map(({ session, place }) => [`session:${session}`, ({ roles }) => may(roles, 'read', place)]),
		];
		expect(Topic.options).toHaveLength(topics.length);
		const listeners = everybody.filter(({ gone }) => !gone);
		const heard = new Map<Who, string[]>();
		for (const who of listeners) {
			const socket = await who.client.connect();
			const got: string[] = [];
			heard.set(who, got);
			socket.onAny((...args) => void got.push(JSON.stringify(args)));
			for (const [topic, isFor] of topics.flat()) {
				const reply = await socket.emitWithAck('subscribe', { version: WIRE_VERSION, topic, epoch: null, since: 0 });
				const expected = isFor(who) ? { ok: true } : { ok: false, reason: 'not-found' };
				expect([who.name, topic, reply]).toEqual([who.name, topic, expected]);
			}
		}
		for (const { gone, client } of everybody) if (gone) await expect(client.connect()).rejects.toThrow();
		for (const { send, key, project } of machines)
			send('s1', asLine(samplePrompt('s1', 4, { project, prompt: `live-${key}` })));

		const shown = marks.filter(({ text }) => /^(?:words|live|mach)-/.test(text));
		const textOf = (who: Who) => heard.get(who)?.join() ?? '';
		const missed = () =>
			listeners.flatMap((who) => shown.filter((mark) => mark.seen(who) && !textOf(who).includes(mark.text)));
		await vi.waitFor(() => expect(missed()).toEqual([]), 30_000);
		for (const who of listeners) {
			const leaked = marks.filter((mark) => !mark.seen(who) && textOf(who).includes(mark.text));
			expect([who.name, leaked]).toEqual([who.name, []]);
		}
		expect(hub.lines.filter((line) => line.includes(' error '))).toEqual([]);
	});
});
