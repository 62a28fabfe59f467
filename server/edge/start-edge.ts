import { join } from 'node:path';
import { writeStateText } from '#hooks-bridge/disk/write-files.ts';
import type { Log } from '../process/log.ts';
import type { Tail } from '../timeline/tail/tail.ts';
import type { DecisionServices } from './hub-decisions.ts';
import { readMembership } from './membership.ts';
import type { PolicyPorts } from './policy-cache.ts';
import { type Pusher, type PushState, startPusher } from './pusher.ts';

export const STATE_FILE = 'hub-state.json';

export interface StoredPushState extends PushState {
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
		const state: StoredPushState = { ...pusher.state(), at: Date.now() };
		try {
			writeStateText(path, JSON.stringify(state));
		} catch (error) {
			log.warn('edge: how the hub stands could not be written down', { reason: String(error) });
		}
	};
	const changed = () => {
		timer ??= setTimeout(logState, LOG_DELAY_MS).unref();
	};
	const pusher: Pusher = startPusher({ home, membership, log, services: people, changed, policies });
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
