import { join } from 'node:path';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import { type Incident, IncidentCode } from '#lib/contract/health/incidents.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../../process/log.ts';
import type { HealingIndex } from '../../timeline/store/healing-index.ts';
import type { IndexStore } from '../../timeline/store/index-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { createIncidentLog, type IncidentLog, MAX_CHARS } from './incident-log.ts';
import { watchSessions } from './watch-sessions.ts';

export interface IncidentsOptions {
	home: string;
	ports: Pick<Ports, 'append' | 'digest' | 'now'>;
	wakeTail: (sessionId: string) => void;
	index: HealingIndex;
	tail: Tail;
	log: Log;
}

/** The log of incidents, with the problems of the index and of sessions; `all` includes those of earlier runs. */
export function openIncidents({ home, index, tail, ...rest }: IncidentsOptions): {
	incidents: IncidentLog;
	all: () => Incident[];
	close: () => void;
} {
	const incidents = createIncidentLog(rest);
	const earlier = createEarlierIncidents({ tail, index });
	watchIndex({ path: join(home, 'index.db'), index, tail, incidents });
	const close = watchSessions({ tail, incidents, now: Date.now });
	return { incidents, all: () => [...incidents.list(), ...earlier(incidents.list())], close };
}

/** How many lines of the home's timeline are searched, and how many incidents are given. */
const MOST_SEARCHED = 1000;
const GIVEN = 50;

interface EarlierOptions {
	tail: { viewOf: (sessionId: string) => Pick<SessionView, 'seq'> | undefined };
	index: Pick<IndexStore, 'events'>;
}

/**
 * Incidents that earlier runs of the server wrote into the home's timeline, newest first, without those in `known`. All count as
 * over: one that still exists is found again.
 */
export function createEarlierIncidents({ tail, index }: EarlierOptions): (known: readonly Incident[]) => Incident[] {
	let read: { seq: number; found: Incident[] } = { seq: 0, found: [] };
	return (known) => {
		const seq = tail.viewOf(HOME_SESSION)?.seq ?? 0;
		if (seq !== read.seq) {
			const events = index.events(HOME_SESSION, { after: Math.max(0, seq - MOST_SEARCHED), limit: MOST_SEARCHED });
			read = { seq, found: events.flatMap(incidentOf).reverse() };
		}
		const isKnownOne = (one: Incident) =>
			known.some(({ code, message, at }) => code === one.code && message === one.message && at === one.at);
		return read.found.filter((one) => !isKnownOne(one)).slice(0, GIVEN);
	};
}

function incidentOf(event: IndexedEvent): Incident[] {
	if (!isKnown(event) || event.type !== 'system:warning') return [];
	const code = IncidentCode.safeParse(event.code);
	const message = printable(event.message, MAX_CHARS);
	return code.success ? [{ code: code.data, about: '', message, at: event.ts, until: event.ts }] : [];
}

/** Has a damaged index at `path` rebuilt from the timelines, and reports that on every page until it is done. */
export function watchIndex(options: {
	path: string;
	index: Pick<HealingIndex, 'onDamage' | 'onRebuilt'>;
	tail: Pick<Tail, 'restart'>;
	incidents: IncidentLog;
}): void {
	const { path, index, tail, incidents } = options;
	index.onDamage((reason) => {
		const message = sentence(
			'The index was damaged ({reason}) and is rebuilt from the timelines. Until that is done, sessions are missing from the pages; hooks are judged as ever',
			{ reason },
		);
		incidents.raise({ code: 'index/damaged', about: path, message, isOpen: true });
	});
	index.onRebuilt(() => void tail.restart().then(() => incidents.clear('index/damaged', path)));
}
