import { join } from 'node:path';
import { readState, writeStateText } from '#hooks-bridge/disk/state-file.ts';
import { createLog, type Log } from '../process/log.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import type { Tail } from '../timeline/tail/tail.ts';
import type { DecisionServices } from './decide-for-hub.ts';
import { type Membership, readMembership } from './membership.ts';
import type { PolicyPorts } from './policy-cache.ts';
import { type Pusher, type PushState, startPusher } from './pusher.ts';

const CHECK_MS = 200;

export interface PushEnd {
	isDone: boolean;
	state: PushState | undefined;
}

const hasAll = (state: PushState | undefined): boolean => state?.state === 'connected' && state.behind === 0;

export async function pushUntil(home: string, membership: Membership, seconds: number): Promise<PushEnd> {
	const log = createLog(() => undefined);
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const ended = new Promise<PushEnd>((resolve) => {
		const end = () => {
			clearTimeout(timer);
			const state = pusher.state();
			pusher.stop();
			resolve({ isDone: hasAll(state), state });
		};
		let isRequested = false;
		const changed = () => {
			const state = pusher.state();
			if (state.state === 'refused') return void setImmediate(end);
			if (state.state !== 'connected') isRequested = false;
			if (!hasAll(state)) return;
			const isAnswered = isRequested || !pusher.confirm();
			isRequested = true;
			if (isAnswered) setImmediate(end);
		};
		const policies = { journal, incidents: { raise: () => undefined } };
		const pusher = startPusher({ home, membership, log, changed, policies });
		const timer = setTimeout(end, seconds * 1000);
	});
	return ended.finally(() => journal.close());
}

export async function watchUntil(home: string, seconds: number): Promise<PushEnd> {
	const since = Date.now();
	const until = since + seconds * 1000;
	let state: EdgeState | undefined;
	while (Date.now() < until) {
		state = (readState(join(home, STATE_FILE)) as EdgeState | null) ?? undefined;
		if (state && state.at > since && hasAll(state)) return { isDone: true, state };
		await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
	}
	return { isDone: false, state };
}

export const STATE_FILE = 'hub-state.json';

export interface EdgeState extends PushState {
	at: number;
}

const LOG_DELAY_MS = 500;
const LOG_EVERY_MS = 5000;
const TICKETS_MS = 1000;

export function startEdge(
	home: string,
	tail: Pick<Tail, 'onBatch'>,
	log: Log,
	policies?: PolicyPorts,
	people?: DecisionServices,
): (() => void) | undefined {
	const membership = readMembership(home);
	if (!membership) return;
	let timer: NodeJS.Timeout | undefined;
	const path = join(home, STATE_FILE);
	const logState = () => {
		clearTimeout(timer);
		timer = undefined;
		const state: EdgeState = { ...pusher.state(), at: Date.now() };
		try {
			writeStateText(path, JSON.stringify(state));
		} catch (error) {
			log.warn('edge: how the hub stands could not be written down', { reason: String(error) });
		}
	};
	const changed = () => {
		timer ??= setTimeout(logState, LOG_DELAY_MS).unref();
	};
	const pusher: Pusher = startPusher({ home, membership, log, people, changed, policies });
	const again = setInterval(logState, LOG_EVERY_MS).unref();
	const tickets = setInterval(() => pusher.sendTickets(), TICKETS_MS).unref();
	const stopListening = tail.onBatch(({ sessionId, events }) => {
		// Sent before the line, so that a question in the story already has its ticket.
		if (events.some(({ type }) => type.startsWith('approval:'))) pusher.sendTickets();
		pusher.pushNewLines(sessionId);
	});
	return () => {
		stopListening();
		clearTimeout(timer);
		clearInterval(again);
		clearInterval(tickets);
		pusher.stop();
	};
}
