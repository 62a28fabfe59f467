import { join } from 'node:path';
import { WebSocket } from 'ws';
import { CLOSE, HUB_WIRE } from '#lib/contract/hub/hub-wire.ts';
import { readRetryAfter } from '#lib/hub/frame.ts';
import type { Log } from '../process/log.ts';
import { packageVersion } from '../process/package-root.ts';
import { type DecisionServices, HubDecisions } from './hub-decisions.ts';
import { openJournalReader } from './journal-reader.ts';
import { isJoined, type Membership, readCounter, readEdgeKey, readLevel, storeCounter } from './membership.ts';
import { createHubLease, createOpenTickets } from './open-tickets.ts';
import { openPolicies, type PolicyPorts } from './policy-cache.ts';
import { PushConnection } from './push-connection.ts';
import { createRosterCache } from './roster-cache.ts';
import { createCommandRunner } from './run-commands.ts';
import { createSharedFeatures } from './shared-features.ts';
import { createSharedSessions } from './shared-sessions.ts';

const BACKOFF = { leastMs: 1000, mostMs: 60_000 };
const STATUS_MS = 20_000;
const FEATURES_MS = 10_000;
const REFUSED: ReadonlySet<number> = new Set([CLOSE.revoked, CLOSE.upgrade, CLOSE.quarantined]);

function stateAfter(code: number): PushState['state'] {
	if (code === CLOSE.pending) return 'pending';
	return REFUSED.has(code) ? 'refused' : 'connecting';
}

export interface PushState {
	state: 'connecting' | 'pending' | 'connected' | 'refused';
	reason: string | undefined;
	behind: number;
}

export interface PusherOptions {
	home: string;
	membership: Membership;
	log: Log;
	services?: DecisionServices | undefined;
	policies?: PolicyPorts | undefined;
	now?: () => number;
	wire?: number;
	backoff?: { leastMs: number; mostMs: number };
	changed?: () => void;
}

export type Pusher = ReturnType<typeof startPusher>;

export function startPusher(options: PusherOptions) {
	const {
		home,
		membership,
		log,
		services,
		now = Date.now,
		wire = HUB_WIRE,
		backoff = BACKOFF,
		changed = () => undefined,
	} = options;
	const journal = openJournalReader(join(home, 'journal.db'));
	const shared = createSharedSessions(home, membership.share);
	const features = createSharedFeatures(home, membership.share, shared, now, log);
	const hubUrl = new URL(membership.url);
	const address = new URL('edge', `${hubUrl.href.replace(/^http/, 'ws').replace(/\/?$/, '/')}`);
	const privateKey = readEdgeKey(home);
	const { edge, root } = membership;
	const { origin } = hubUrl;
	const level = () => (services?.settings().hubMayDecide === false ? 'watch' : readLevel(home));
	const waiting = services?.service.waiting ?? (() => []);
	const tickets = createOpenTickets({ edge, waiting, isShared: shared.isShared });
	const roster = createRosterCache({ home, membership, root, now });
	const policies = options.policies && openPolicies(options, options.policies);
	const { rowOf } = journal;
	const { team } = membership;
	const { isShared, projectOf } = shared;
	const ticketFrame = () => ({ open: tickets.list(), grants: services?.settings().hubMayGrant ?? 'never' });
	let isRefused = false;
	const decisions =
		services &&
		new HubDecisions({
			...services,
			edge,
			origin,
			tickets,
			level,
			root,
			roster,
			team,
			isShared,
			projectOf,
			rowOf,
			now,
			joinedAt: journal.joinedAt(),
			isMember: () => isJoined(home, membership),
			isRefused: () => isRefused,
		});
	const ofPeople = decisions && { decision: decisions.decide, grant: decisions.grant };
	const commands = createCommandRunner({
		edge,
		origin,
		key: root?.key,
		log,
		handlers: { ...ofPeople, roster: roster.acceptRoster, ...(policies && { policy: policies.acceptPolicy }) },
	});
	let socket: WebSocket | undefined;
	let connection: PushConnection | undefined;
	let timer: NodeJS.Timeout | undefined;
	let tries = 0;
	let stopped = false;
	let shown: Pick<PushState, 'state' | 'reason'> = { state: 'connecting', reason: undefined };

	function connect() {
		const made = new WebSocket(address, { perMessageDeflate: false, handshakeTimeout: 20_000 });
		socket = made;
		const parts = {
			edge,
			commands,
			level,
			origin,
			wire,
			version: packageVersion(),
			content: membership.share.content,
			tickets: { currentFrame: ticketFrame },
			lease: services?.lease ?? createHubLease(),
			privateKey,
			shared,
			features,
			journal,
			now,
			counter: () => readCounter(home),
			storeCounter: (count: number) => storeCounter(home, count),
		};
		const current = new PushConnection(parts, (data) => made.send(data));
		connection = current;
		made.on('message', (data) => {
			const why = Buffer.isBuffer(data) ? receiveSafely(current, data) : 'a message in pieces';
			if (why !== null) made.close(CLOSE.bad, why.slice(0, 100));
			if (current.welcomed && shown.state !== 'connected') {
				tries = 0;
				shown = { state: 'connected', reason: undefined };
				log.info('edge: connected to the hub', { hub: membership.hub });
				void announceFeatures();
			}
			changed();
		});
		made.on('error', (error) => {
			shown = { ...shown, reason: error.message };
		});
		made.on('close', (code, words) => {
			current.stop();
			if (connection === current) connection = undefined;
			ended(code, words.toString('utf8'));
		});
	}

	async function announceFeatures() {
		const failed = (error: unknown) =>
			log.warn('edge: the archives could not be looked through', { reason: String(error) });
		await connection?.announceFeatures().then(changed, failed);
	}

	function receiveSafely(current: PushConnection, data: Buffer): string | null {
		try {
			return current.receive(data);
		} catch (error) {
			log.error('edge: what the hub sent could not be handled', error);
			return 'it could not be handled';
		}
	}

	function ended(code: number, words: string) {
		if (stopped) return;
		const reason = words || shown.reason;
		if (shown.state === 'connected')
			log.warn('edge: the hub is away; it goes on alone', { code, reason: reason ?? '' });
		const state = stateAfter(code);
		if (state === 'refused' && shown.state !== state)
			log.warn(`edge: the hub does not take this edge: ${reason ?? code}`);
		shown = { state, reason };
		changed();
		if (code === CLOSE.revoked) {
			roster.drop();
			isRefused = true;
			return policies?.endMembership();
		}
		timer = setTimeout(connect, pauseBeforeRetry({ code, words, tries }, backoff)).unref();
		tries += 1;
	}

	const status = setInterval(() => connection?.status(), STATUS_MS).unref();
	const archives = setInterval(announceFeatures, FEATURES_MS).unref();
	connect();

	return {
		pushNewLines: (sessionId: string) => connection?.pushNewLines(sessionId),
		sendTickets: () => connection?.sendTickets(),
		announceFeatures,
		confirm: () => connection?.confirm() ?? false,
		state: (): PushState => ({ ...shown, behind: connection?.behind() ?? Number.NaN }),
		stop(): void {
			stopped = true;
			clearTimeout(timer);
			clearInterval(status);
			clearInterval(archives);
			policies?.stop();
			connection?.stop();
			socket?.terminate();
			journal.close();
		},
	};
}

/** Random, so that a thousand edges do not reconnect at once. */
export function pauseBeforeRetry(
	{ code, words, tries }: { code: number; words: string; tries: number },
	{ leastMs, mostMs }: { leastMs: number; mostMs: number },
	draw: () => number = Math.random,
): number {
	const retryAfter = code === CLOSE.later ? readRetryAfter(words) : undefined;
	if (retryAfter !== undefined) return leastMs + draw() * Math.max(0, Math.min(mostMs, retryAfter * 1000) - leastMs);
	// These reasons last until a person acts.
	const isLong = code === CLOSE.quarantined || code === CLOSE.upgrade;
	const most = isLong ? mostMs : Math.min(mostMs, leastMs * 2 ** tries);
	return leastMs * draw() + draw() * most;
}
