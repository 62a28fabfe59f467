import { hash } from 'node:crypto';
import { FeatureSheet } from '#lib/contract/archives/features.ts';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import { may, mayAnywhere } from '#lib/hub/may.ts';
import { openHubDatabase } from '../hub/database/database.ts';
import { createFeatureFiles, createFeatureStore, type FeatureFiles } from '../hub/features/feature-intake.ts';
import type { ObjectStore } from '../hub/timelines/object-store.ts';
import { sealPayload } from '../timeline/store/journal-chain.ts';
import { startHubRig } from './hub-rig.ts';
import { asLine, samplePrompt } from './timeline-rig.ts';

/** An object store in memory: a hub that has one keeps documents and files. */
function memoryStore(): ObjectStore {
	const kept = new Map<string, Buffer>();
	return {
		put: async (name, body) => void (Buffer.isBuffer(body) && kept.set(name, body)),
		get: async (name) => kept.get(name) ?? Buffer.alloc(0),
		check: async () => undefined,
	};
}

type Hub = Awaited<ReturnType<typeof startHubRig>>;
type Client = Awaited<ReturnType<Hub['signIn']>>;

/** Somebody of a kind; who is `gone` has been switched off. */
export interface Who {
	name: string;
	roles: HubRole[];
	gone: boolean;
	id: number;
	client: Client;
	/** Another sign-in, which a request may end. */
	spare: Client;
}

/** Some text of the data, and who may come across it. */
export interface Mark {
	text: string;
	seen(who: Pick<Who, 'id' | 'roles'>): boolean;
}

const MACHINES = [
	{ key: 'one', team: 'team-own', project: 'proj-a' },
	{ key: 'two', team: 'team-own', project: 'proj-b' },
	{ key: 'far', team: 'team-far', project: 'proj-a' },
] as const;

/** A prompt, and a call that a gate denied; each machine's in words of its own. */
const storyOf = (key: string, project: string) => {
	const call = { toolUseId: 'c1', category: 'tool', label: 'Call' };
	const denied = { gate: 'g', decision: 'deny', rule: 'r', reason: `reason-${key}`, facts: {}, form: 'deny' };
	return [
		samplePrompt('s1', 1, { project, cwd: `/srv/${project}`, prompt: `words-${key}` }),
		samplePrompt('s1', 2, { ...call, type: 'tool:call', tool: 'Bash', input: { command: `title-${key}` } }),
		samplePrompt('s1', 3, { ...call, type: 'gate:verdict', ...denied }),
	];
};

const kindsOf = (own: number, far: number): { name: string; roles: HubRole[] }[] => [
	...(['viewer', 'operator', 'admin'] as const).flatMap((role) => [
		{ name: `${role}-own`, roles: [{ role, team: own }] },
		{ name: `${role}-far`, roles: [{ role, team: far }] },
		{ name: `${role}-everywhere`, roles: [{ role }] },
	]),
	{ name: 'viewer-project', roles: [{ role: 'viewer', team: own, project: 'proj-a' }] },
	{ name: 'operator-project', roles: [{ role: 'operator', team: own, project: 'proj-b' }] },
	{ name: 'auditor', roles: [{ role: 'auditor' }] },
	{ name: 'nobody', roles: [] },
	{ name: 'gone', roles: [{ role: 'admin' }] },
];

const holds = ({ roles }: Pick<Who, 'roles'>, team: number) =>
	roles.some((role) => role.team === undefined || role.team === team);

/** Who comes across a person: they themselves, and the admins of where they are something, or of anywhere if they are nothing. */
const personMark = (of: { id: number; name: string; roles: HubRole[] }): Mark => ({
	text: `pers-${of.name}"`,
	seen({ id, roles }) {
		if (id === of.id || may(roles, 'people', 'org')) return true;
		const isOwn = of.roles.some(({ team }) => team !== undefined && may(roles, 'people', { team }));
		return mayAnywhere(roles, 'people') && (of.roles.length === 0 || isOwn);
	},
});

/** A call that waits at each machine, and a grant that was made there, as that would have told of them. */
async function addEvent(databaseUrl: string, machines: readonly { edge: number; key: string }[]): Promise<void> {
	const database = openHubDatabase(databaseUrl, () => undefined);
	const [requestedAt, deadline] = [new Date(), new Date(Date.now() + 3_600_000)].map((at) => at.toISOString());
	for (const { edge, key } of machines) {
		const call = { tool: 'Bash', title: `title-${key}`, input: {}, denials: [], requestedAt, deadline };
		const record = { id: `ticket-${key}`, state: 'waiting', sessionId: 's1', ...call };
		await database.query(
			`INSERT INTO tickets (edge, team, ticket, session_id, state, asked_at, deadline, digest, nonce, json)
			SELECT id, team, $2, 's1', 'waiting', $3, $4, '', '', $5 FROM edges WHERE id = $1`,
			[edge, record.id, requestedAt, deadline, JSON.stringify(record)],
		);
		const covers = [{ gate: 'g', rule: 'r', fingerprint: 'f', words: `title-${key}` }];
		const grant = { grantId: `grant-${key}`, scope: 'session', covers, expires: deadline, tool: 'Bash' };
		const made = { ...grant, title: `title-${key}`, reason: `reason-${key}`, by: { role: 'operator', via: 'browser' } };
		await database.query(
			`INSERT INTO edge_journal (edge, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash)
			VALUES ($1, 0, $2, $3, 'grant:create', $2, 's1', $4, '', '', '', '')`,
			[edge, grant.grantId, requestedAt, JSON.stringify(sealPayload(made))],
		);
	}
	await database.close();
}

interface WithFeature {
	edge: number;
	key: string;
	place: { team: number; project: string };
	feature: string;
}

/** An archived feature of each machine, as that would have told it. */
async function addFeatures(databaseUrl: string, files: FeatureFiles, machines: readonly WithFeature[]): Promise<void> {
	const database = openHubDatabase(databaseUrl, () => undefined);
	const featureStore = createFeatureStore(database.query, Date.now);
	for (const { edge, key, place, feature: name } of machines) {
		const id = name.slice(name.indexOf('/') + 1);
		const of = (path: string, word: string) => {
			const bytes = Buffer.from(`${word}-${key}`);
			return { name: path, bytes: bytes.length, sha256: hash('sha256', bytes), text: bytes };
		};
		const kept = [of('plan.md', 'docs'), of('handoffs/dev.md', 'hand'), of('', 'blob')];
		for (const { sha256, text } of kept) await files.put({ team: place.team, edge, feature: id, digest: sha256 }, text);
		const [document, handoff, blob] = kept.map(({ text: _, ...file }) => ({
			...file,
			name: file.name || `blobs/${file.sha256}`,
		}));
		const sheet = FeatureSheet.parse({
			...{ v: 1, unshared: 0, left: 0 },
			feature: {
				...{ id, project: place.project, name: `feat-${key}`, state: 'archived', sessions: ['s1'], makes: [] },
				tasks: { done: 0, total: 1, next: [`words-${key}`], more: 0 },
			},
			manifest: {
				...{
					version: 1,
					id,
					feature: `feat-${key}`,
					folder: 'x',
					archivedAt: '2026-01-01T00:00:00.000Z',
					complete: true,
				},
				documents: [document],
				sessions: [{ sessionId: 's1', ended: true, timelines: [], files: [handoff, blob] }],
			},
		});
		const [{ conn_epoch: connEpoch = 0 } = {}] = await database.query<{ conn_epoch: number }>(
			'SELECT conn_epoch FROM edges WHERE id = $1',
			[edge],
		);
		await featureStore.keep({ edge, connEpoch, digest: `${edge}`, text: JSON.stringify(sheet), sheet, stored: true });
	}
	await database.close();
}

/** A hub with two teams, three machines (two of them with a project of the same name), and somebody of each kind. */
export async function makeHubFixture(databaseUrl: string) {
	const objects = memoryStore();
	const hub = await startHubRig(databaseUrl, undefined, undefined, { objects });
	const joined = [];
	for (const { key, team, project } of MACHINES) {
		const machine = await hub.machine(`mach-${key}`, team);
		for (const line of storyOf(key, project)) machine.send('s1', asLine(line));
		const feature = `${machine.edge}/abcdefabcdef-2026-01-01_feat-${key}`;
		joined.push({ ...machine, key, team, project, session: `${machine.edge}/s1`, feature });
	}
	const teams = await hub.withPeople((people) => people.teams());
	const numberOf = (team: string) => teams.find(({ name }) => name === team)?.id ?? 0;
	const [own, far] = [numberOf('team-own'), numberOf('team-far')];
	const everybody: Who[] = [];
	for (const { name, roles } of kindsOf(own, far)) {
		const id = await hub.person(`pers-${name}`, roles);
		const [client, spare] = [await hub.signIn(id), await hub.signIn(id)];
		everybody.push({ name, roles, gone: name === 'gone', id, client, spare });
	}
	/** Somebody who is something in both teams, and is acted on. */
	const ofBoth: HubRole[] = [
		{ role: 'viewer', team: own },
		{ role: 'viewer', team: far },
	];
	const target = { id: await hub.person('pers-target', ofBoth), name: 'target', roles: ofBoth };
	await hub.signIn(target.id);
	await hub.withPeople(async (people) => {
		for (const { id, gone } of everybody) if (gone) await people.setDisabled(id, true);
	});
	const machines = joined.map((machine) => ({
		...machine,
		place: { team: numberOf(machine.team), project: machine.project },
	}));
	await addEvent(databaseUrl, machines);
	await addFeatures(databaseUrl, createFeatureFiles(objects), machines);
	const marks: Mark[] = [
		...machines.flatMap(({ key, place }): Mark[] => [
			...['words', 'title', 'reason', 'live', 'docs', 'hand', 'blob'].map((word) => ({
				text: `${word}-${key}`,
				seen: ({ roles }: Pick<Who, 'roles'>) => may(roles, 'read', place),
			})),
			{ text: `feat-${key}`, seen: ({ roles }) => may(roles, 'watch', place) },
			{ text: `mach-${key}`, seen: ({ roles }) => may(roles, 'watch', place) },
		]),
		{ text: 'proj-b', seen: ({ roles }) => may(roles, 'watch', { team: own, project: 'proj-b' }) },
		{ text: 'team-own', seen: (who) => holds(who, own) },
		{ text: 'team-far', seen: (who) => holds(who, far) },
		...[...everybody, target].map(personMark),
	];
	return { hub, machines, own, far, target: target.id, everybody, marks };
}

export type HubFixture = Awaited<ReturnType<typeof makeHubFixture>>;
