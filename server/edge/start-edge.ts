import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../process/log.ts';
import type { Tail } from '../timeline/tail/tail.ts';
import { readMembership } from './membership.ts';
import { openPolicies, type PolicyPorts } from './policy-cache.ts';
import { type HubPeople, type Pusher, type PushState, startPusher } from './pusher.ts';

export const STATE_FILE = 'hub-state.json';

export interface EdgeState extends PushState {
	at: number;
}

const SAY_MS = 500;
const SAY_AGAIN_MS = 5000;
const TICKETS_MS = 1000;

export function startEdge(
	home: string,
	tail: Pick<Tail, 'onBatch'>,
	log: Log,
	ports?: PolicyPorts,
	people?: HubPeople,
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
			writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
			renameSync(`${path}.new`, path);
		} catch (error) {
			log.warn('edge: how the hub stands could not be written down', { reason: String(error) });
		}
	};
	const changed = () => {
		timer ??= setTimeout(logState, SAY_MS).unref();
	};
	const policies = ports && openPolicies(home, ports, log);
	const pusher: Pusher = startPusher({ home, membership, log, people, changed, ...policies?.forPusher });
	const again = setInterval(logState, SAY_AGAIN_MS).unref();
	const tickets = setInterval(() => pusher.tellTickets(), TICKETS_MS).unref();
	const stopListening = tail.onBatch(({ sessionId, events }) => {
		// Before the line: a question in the story waits already.
		if (events.some(({ type }) => type.startsWith('approval:'))) pusher.tellTickets();
		pusher.poke(sessionId);
	});
	return () => {
		stopListening();
		clearTimeout(timer);
		clearInterval(again);
		policies?.stop();
		clearInterval(tickets);
		pusher.stop();
	};
}
