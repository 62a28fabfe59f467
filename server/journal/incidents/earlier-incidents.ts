import { isKnown } from '#lib/contract/events/is-known.ts';
import { type Incident, IncidentCode } from '#lib/contract/health/incidents.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { printable } from '#lib/text/printable.ts';
import type { IndexStore } from '../../timeline/store/index-store.ts';
import { MAX_CHARS } from './incident-log.ts';

/** So many lines of the home's timeline are looked through, and so many incidents given. */
const LOOKED = 1000;
const GIVEN = 50;

export interface EarlierOptions {
	tail: { viewOf: (sessionId: string) => Pick<SessionView, 'seq'> | undefined };
	index: Pick<IndexStore, 'events'>;
}

/**
 * What earlier runs of the server wrote into the home's timeline of incidents, the newest first, beside those that are
 * `known`. All are over as far as anybody can say: what still stands is seen again.
 */
export function createEarlierIncidents({ tail, index }: EarlierOptions): (known: readonly Incident[]) => Incident[] {
	let read: { seq: number; found: Incident[] } = { seq: 0, found: [] };
	return (known) => {
		const seq = tail.viewOf(HOME_SESSION)?.seq ?? 0;
		if (seq !== read.seq) {
			const events = index.events(HOME_SESSION, { after: Math.max(0, seq - LOOKED), limit: LOOKED });
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
