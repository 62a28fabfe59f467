import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../process/log.ts';
import type { Tail } from '../timeline/tail/tail.ts';
import { readMembership } from './membership.ts';
import { openPolicies, type PolicyPorts } from './policy-cache.ts';
import { type HubPeople, type Pusher, type PushState, startPusher } from './pusher.ts';

/** What the running server says of its hub, for other commands of this home. */
export const STATE_FILE = 'hub-state.json';

/** What stands in the state file. */
export interface EdgeState extends PushState {
	/** ms since 1970. */
	at: number;
}

/** Sent at most this often, and at least so often: whoever waits for it wants to know that it is of now. */
const SAY_MS = 500;
const SAY_AGAIN_MS = 5000;
/** What waits is told with the line that asks, and looked for this often beside it. */
const TICKETS_MS = 1000;

/**
 * Pushes what the tail reads to the hub that this home has joined, and takes the hub's policies where there is a
 * journal for them. Gives what ends it; undefined where it has joined none.
 */
export function startEdge(
	home: string,
	tail: Pick<Tail, 'onBatch'>,
	log: Log,
	world?: PolicyPorts,
	people?: HubPeople,
): (() => void) | undefined {
	const membership = readMembership(home);
	if (!membership) return;
	let timer: NodeJS.Timeout | undefined;
	const path = join(home, STATE_FILE);
	const say = () => {
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
		timer ??= setTimeout(say, SAY_MS).unref();
	};
	const policies = world && openPolicies(home, world, log);
	const pusher: Pusher = startPusher({ home, membership, log, people, changed, ...policies?.forPusher });
	const again = setInterval(say, SAY_AGAIN_MS).unref();
	const tickets = setInterval(() => pusher.tellTickets(), TICKETS_MS).unref();
	const stopListening = tail.onBatch(({ sessionId, events }) => {
		// Before the line: a question that is in the story waits.
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
