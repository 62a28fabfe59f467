import { format } from 'node:util';
import { errors } from '#lib/contract/errors.ts';
import { TokenName } from '#lib/contract/ids.ts';
import { printable } from '#lib/text/printable.ts';
import { hubAddress } from '../../edge/join-hub.ts';
import { checkDatabase, migrateHub, otherOwner, ownDatabase } from '../../hub/database/check-database.ts';
import type { Query } from '../../hub/database/database.ts';
import {
	changedRoots,
	changedRootWords,
	keyPathIn,
	openHubIdentity,
	readRootSet,
	storedKey,
} from '../../hub/database/hub-key.ts';
import { createEdgeActions, type EdgeActions, joinLine } from '../../hub/edges/edge-service.ts';
import { createEdgeStore } from '../../hub/edges/edge-store.ts';
import { checkArchives } from '../../hub/jobs/jobs-state.ts';
import { readOidcConfig } from '../../hub/people/oidc.ts';
import { createPeopleStore, type PeopleStore } from '../../hub/people/people-store.ts';
import { createSignInStore, type SignInStore } from '../../hub/people/sign-ins.ts';
import { type HubBase, holdLessMemory, startHub } from '../../hub/replica/hub-server.ts';
import { openObjectStore } from '../../hub/timelines/object-store.ts';
import { openHubPages } from '../../main/open-hub-pages.ts';
import { EXIT, type OptionValues, type Terminal } from '../../process/command.ts';
import { readEnvironment } from '../../process/env.ts';
import { writableHomeOf } from '../../process/home.ts';
import { keepGoing } from '../../process/keep-going.ts';
import { createLog } from '../../process/log.ts';
import { homeReplicas, noteReplica } from './home-replicas.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';
import { labelsOf, nameOf, numberOf, spanOf, teamOf, urlOf } from './hub-options.ts';

function objectsOf({ env }: Terminal) {
	const { objects } = readEnvironment(env);
	return objects && openObjectStore(objects);
}

/** Rejects if the database belongs to another hub. */
export async function identityOf(terminal: Terminal, url: string, checkOwner: typeof ownDatabase = otherOwner) {
	const { origin, host } = hubAddress(url);
	const identity = openHubIdentity({
		home: writableHomeOf(terminal),
		path: readEnvironment(terminal.env).hubKey,
		origin,
		name: host,
	});
	const problems = await checkDatabase(databaseOf(terminal), (query) => checkOwner(query, identity.root));
	if (problems.length > 0) throw new Error(problems.join('\n'));
	return identity;
}

export async function serveHub(terminal: Terminal, url: string, port: number): Promise<number> {
	const databaseUrl = databaseOf(terminal);
	const identity = await identityOf(terminal, url, ownDatabase);
	const log = createLog();
	keepGoing(log);
	holdLessMemory();
	// Next decides at import by NODE_ENV what it is, and prints its progress to stdout.
	Object.assign(process.env, { NODE_ENV: 'production' });
	console.log = (...words: unknown[]) => log.info(format(...words));
	const home = writableHomeOf(terminal);
	const address = hubAddress(url);
	const oidc = readOidcConfig(home, terminal.env);
	const pages = (base: HubBase) => openHubPages(base, { home, url: address, log, oidc });
	const { redisUrl, metricsToken } = readEnvironment(terminal.env);
	const served = { identity, host: '127.0.0.1', port, log, metricsToken, objects: objectsOf(terminal), pages };
	const hub = await startHub({ databaseUrl, redisUrl, ...served });
	const forget = noteReplica(home, hub.port, address.origin);
	terminal.print(`Hub of ${url} on http://127.0.0.1:${hub.port}`);
	terminal.print(`Open ${await linkTo(databaseUrl, address.origin)}`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
	await hub.drain();
	forget();
	return EXIT.done;
}

const linkTo = (databaseUrl: string, origin: string): Promise<string> =>
	withPeople(databaseUrl, async (people, signIns) => `${origin}/login#${await signIns.mintLink(await people.owner())}`);

const withPeople = <T>(
	databaseUrl: string,
	work: (people: PeopleStore, signIns: SignInStore) => Promise<T>,
): Promise<T> => withDatabase(databaseUrl, ({ query }) => work(createPeopleStore(query), createSignInStore(query)));

export async function makeToken(terminal: Terminal, values: OptionValues): Promise<number> {
	const name = nameOf('name', values.name ?? 'tool', TokenName);
	const days = numberOf(values, 'days', 90, 366);
	const { token, until } = await withPeople(databaseOf(terminal), async (people, signIns) =>
		signIns.mintToken(await people.owner(), name, days),
	);
	terminal.say(`Good until ${until.toISOString()}; it is shown only once:`);
	terminal.print(token);
	return EXIT.done;
}

export async function openHub(terminal: Terminal): Promise<number> {
	const [replica] = homeReplicas(writableHomeOf(terminal));
	if (!replica?.url)
		throw new Error('No replica of a hub runs for this home. Start it with `signalbox hub --url URL` first.');
	terminal.print(`Open ${await linkTo(databaseOf(terminal), replica.url)}`);
	return EXIT.done;
}

export async function migrate(terminal: Terminal): Promise<number> {
	const applied = await migrateHub(databaseOf(terminal));
	terminal.print(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The tables are up to date.');
	return EXIT.done;
}

const checkRoots = async (terminal: Terminal): Promise<string[]> => {
	const set = readRootSet(readEnvironment(terminal.env).hubKey ?? keyPathIn(writableHomeOf(terminal)));
	const changed = await withDatabase(databaseOf(terminal), ({ query }) => changedRoots(query, set));
	return changed.map(changedRootWords);
};

export async function checkHub(terminal: Terminal, url: string | undefined): Promise<number> {
	const databaseUrl = databaseOf(terminal);
	const held = storedKey({ home: writableHomeOf(terminal), path: readEnvironment(terminal.env).hubKey });
	const origin = url === undefined ? undefined : hubAddress(url).origin;
	const whose = async (query: Query) => (held ? otherOwner(query, { key: held.publicKey, origin }) : undefined);
	const database = await checkDatabase(databaseUrl, whose);
	const archives = database.length > 0 ? undefined : await checkArchives(databaseUrl, objectsOf(terminal));
	const roots = database.length > 0 ? [] : await checkRoots(terminal);
	const problems = [...database, ...roots, ...(archives?.problems ?? [])];
	for (const line of [...problems, ...(archives?.notes ?? [])]) terminal.print(line);
	if (problems.length === 0) terminal.print('The database is ready for a hub.');
	return problems.length === 0 ? EXIT.done : EXIT.failed;
}

const withEdgeActions = <T>(terminal: Terminal, work: (actions: EdgeActions) => Promise<T>): Promise<T> =>
	withJournal(terminal, (query, journal) =>
		work(createEdgeActions({ query, journal, now: Date.now }, createEdgeStore(query))),
	);

export async function makeCode(terminal: Terminal, values: OptionValues): Promise<number> {
	const url = urlOf(values);
	const uses = numberOf(values, 'uses', 1, 10_000);
	const minutes = spanOf(values);
	const options = { team: teamOf(values), uses, minutes, labels: labelsOf(values) };
	const identity = await identityOf(terminal, url);
	const { code } = await withEdgeActions(terminal, (actions) => actions.mint('machine', options));
	terminal.say(
		`For ${uses === 1 ? 'one machine' : `${uses} machines`}, within ${minutes} minutes. Run it in the project to share:`,
	);
	if (uses > 1)
		terminal.say(
			'The hub accepts nothing from them until an admin accepts each (page Machines, `hub accept N`) or a rule does (`hub rule`).',
		);
	terminal.print(joinLine(identity, code));
	return EXIT.done;
}

export async function listEdges(terminal: Terminal): Promise<number> {
	const lines = await withDatabase(databaseOf(terminal), ({ query }) => createEdgeStore(query).list());
	for (const { id, team, name, status, reason, labels, seen_at } of lines) {
		const seen = seen_at ? `seen ${seen_at.toISOString()}` : 'never seen';
		const why = reason ? ` (${printable(reason)})` : '';
		const found = labels.length > 0 ? `\t${labels.map((label) => printable(label)).join(',')}` : '';
		terminal.print(`${id}\t${printable(team)}\t${printable(name)}\t${status}${why}\t${seen}${found}`);
	}
	return EXIT.done;
}

export async function changeEdge(terminal: Terminal, edge: number, action: 'accept' | 'revoke'): Promise<number> {
	const state = await withEdgeActions(terminal, (actions) => actions.change('machine', edge, action));
	if (state === (action === 'accept' ? 'joined' : 'revoked')) return EXIT.done;
	const unknown = `There is no machine ${edge}. \`signalbox hub edges\` lists them.`;
	throw new Error(state ? errors['edge/revoked'].say : unknown);
}
