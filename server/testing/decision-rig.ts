import { mkdtempSync, realpathSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSettings } from '#hooks-bridge/engine/facts.ts';
import type { ApprovalRecord, EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { joinHub } from '../edge/join-hub.ts';
import { createHubLease } from '../edge/open-tickets.ts';
import { startPusher } from '../edge/pusher.ts';
import { openHubDatabase } from '../hub/database/database.ts';
import { keyPathIn, openHubIdentity, type RootSet, storeRootSet } from '../hub/database/hub-key.ts';
import { createTicketStore } from '../hub/decisions/ticket-store.ts';
import { createEdgeStore } from '../hub/edges/edge-store.ts';
import { createEdgeJournalStore } from '../hub/timelines/edge-journal-store.ts';
import { rootFingerprint } from '../hub-protocol/signatures.ts';
import { freePort } from '../process/free-port.ts';
import { createLog } from '../process/log.ts';
import { startHubRig } from './hub-rig.ts';
import { deniedCall, hookHeaders, startService } from './service-rig.ts';

const PATIENCE_MS = 20_000;
const LOOK_MS = 20;

/** A hub with machines at whose real services and doors calls wait; `rootOf` makes its root passkeys, where it has any. */
export async function startDecisionRig(databaseUrl: string, rootOf?: (url: URL) => RootSet) {
	const network = await startNetwork();
	const hubHome = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	if (rootOf) storeRootSet(keyPathIn(hubHome), rootOf(network.url));
	const pages = await startHubRig(databaseUrl, hubHome, undefined, { behind: network.url });
	network.leadTo(pages.port);
	const hub = openHubDatabase(databaseUrl, () => undefined);
	const stops: (() => Promise<unknown>)[] = [];
	const log = createLog(() => undefined);
	type Reader = Awaited<ReturnType<typeof pages.signIn>>;

	/** A machine that has joined, by its name. */
	async function machine(name: string, decide: EdgeLevel, team = 'shop') {
		const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-edge-')));
		const lease = createHubLease();
		const service = await startService({ home, forcedHoldSeconds: 60 });
		const { root } = openHubIdentity({ home: pages.home, path: undefined, origin: pages.url.origin, name: 'test hub' });
		const code = `${await createEdgeStore(hub.query).mintCode(team, 1, 10)}#${rootFingerprint(root)}`;
		const share = { projects: 'all', content: 'all' } as const;
		const { membership } = await joinHub(home, { url: pages.url.origin, code, name, share, decide });
		const backoff = { leastMs: 20, mostMs: 100 };
		const pusher = startPusher({
			home,
			membership,
			log,
			services: {
				service: service.service,
				grants: service.grants,
				lease,
				settings: () => findSettings('', service.ports),
				subjectOf: service.denied,
			},
			backoff,
		});
		stops.push(async () => {
			pusher.stop();
			await service.stop();
		});
		return {
			...{ home, service, lease, pusher, edge: membership.edge },
			/** A call that the project's plan denies, until it waits; `answer` is what its hook gets. */
			async ask(toolUseId: string) {
				const waits = service.next<string>('waiting');
				const { location = '' } = await service.post(
					deniedCall(service.project, toolUseId),
					hookHeaders(`r-${toolUseId}`),
				);
				const answer = service.poll(location).then(({ body }) => body);
				const id = await waits;
				pusher.sendTickets();
				pusher.pushNewLines('s1');
				return { id, answer };
			},
		};
	}

	async function read(reader: Reader, id: string): Promise<ApprovalRecord> {
		const answer = await reader.get(`/api/approvals/${id}`);
		return ((await answer.json()) as { approval: ApprovalRecord }).approval;
	}

	return {
		...{ hub, machine, read, network, url: network.url, home: pages.home, port: pages.port },
		tickets: createTicketStore(hub.query, createEdgeJournalStore(hub.query).histories, Date.now),
		signIn: pages.signIn,
		person: pages.person,
		numberOf: pages.numberOf,
		/** Resolves with the ticket once the hub lists it as waiting. */
		async whenWaiting(reader: Reader, id: string): Promise<ApprovalRecord> {
			for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
				const answer = await reader.get('/api/approvals?state=waiting');
				const { approvals } = (await answer.json()) as { approvals: ApprovalRecord[] };
				const found = approvals.find((each) => each.id === id);
				if (found) return found;
				await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
			}
			throw new Error(`The hub has not listed ${id} as waiting.`);
		},
		async stop() {
			for (const stop of stops) await stop();
			await hub.close();
			await pages.stop();
			network.stop();
		},
	};
}

/** What lies between a hub and its machines: it can be cut, and mended. Browsers pass. */
async function startNetwork() {
	const edges = new Set<net.Socket>();
	let isCut = false;
	let port = 0;

	function connect(from: net.Socket, first: Buffer) {
		const isEdge = first.toString('latin1').startsWith('GET /edge ');
		if (isEdge && isCut) return void from.destroy();
		const to = net.connect(port, '127.0.0.1');
		if (isEdge) edges.add(from);
		to.write(first);
		from.pipe(to).pipe(from);
		for (const one of [from, to]) {
			one.on('error', () => undefined);
			one.on('close', () => {
				edges.delete(from);
				from.destroy();
				to.destroy();
			});
		}
	}

	const own = await freePort();
	const server = net.createServer((from) => void from.once('data', (first) => connect(from, first)));
	await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
	return {
		url: new URL(`http://127.0.0.1:${own}`),
		cut() {
			isCut = true;
			for (const edge of edges) edge.destroy();
		},
		mend() {
			isCut = false;
		},
		leadTo(hub: number) {
			port = hub;
		},
		stop: () => void server.close(),
	};
}
