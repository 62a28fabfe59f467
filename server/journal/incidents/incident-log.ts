import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { typeFields } from '#lib/contract/events/event-labels.ts';
import type { Incident, IncidentCode } from '#lib/contract/health/incidents.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { inWords, type Words } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../../process/log.ts';

const MAX_CLOSED = 50;
/** Longest text of an incident. */
export const MAX_CHARS = 400;
/** Repetitions within this time extend one incident. */
const REPEAT_MS = 60_000;
/** Checks run once a second, so a problem is noticed by then. */
const LATE_MS = 2000;

/** An incident to raise: with `isOpen` it lasts until it is cleared, else it is over at once. */
export interface IncidentDraft {
	code: IncidentCode;
	about: string;
	message: Words;
	fix?: Words;
	sessionId?: string;
	isOpen?: boolean;
	/** ISO; when it happened, if recorded. Believed only if it is as recent as a check. */
	happenedAt?: string;
}

/** A recorded time counts only if it is recent: an older one could hide the incident. */
function instantOf(happenedAt: string | undefined, now: number): number {
	const then = Date.parse(happenedAt ?? '');
	return then <= now && now - then <= LATE_MS ? then : now;
}

/** Only the end of its cause closes an incident: an agent that can press buttons could hide its own. */
export function createIncidentLog({ ports, log }: { ports: Pick<Ports, 'append' | 'digest' | 'now'>; log: Log }) {
	const listeners: ((incidents: Incident[]) => void)[] = [];
	let incidents: Incident[] = [];

	const change = (next: Incident[]) => {
		// Open incidents are never dropped, so that nobody can push one out by raising others.
		incidents = next.filter(({ until }, nth) => until === null || nth < MAX_CLOSED);
		for (const listener of listeners) listener(incidents);
	};
	const recordIncident = ({ code, about, message, at }: Incident) => {
		const type = 'system:warning';
		try {
			const id = ports.digest(JSON.stringify([type, code, about, at, message])).slice(0, 32);
			ports.append(HOME_SESSION, [{ id, ts: at, ...typeFields(type), sessionId: HOME_SESSION, code, message }]);
		} catch (error) {
			log.error('incidents: one could not be written to the timeline', error, { code });
		}
	};

	return {
		/** Reports to every page, the log and the home's timeline. An open incident is reported once. */
		raise({ code, isOpen = false, happenedAt, sessionId, ...draft }: IncidentDraft) {
			const about = printable(draft.about, MAX_CHARS);
			const words = inWords({ message: draft.message, fix: draft.fix }, (text) => printable(text, MAX_CHARS));
			const { message } = words;
			const now = ports.now();
			const at = new Date(instantOf(happenedAt, now)).toISOString();
			const known = incidents.find((one) => one.code === code && one.about === about && one.message === message);
			if (known?.until === null) return;
			const until = isOpen ? null : at;
			if (known && now - Date.parse(known.until ?? at) < REPEAT_MS) {
				return change([{ ...known, until }, ...incidents.filter((one) => one !== known)]);
			}
			const incident: Incident = {
				code,
				about,
				...words,
				...(sessionId && { sessionId }),
				at,
				until,
			};
			if (code !== 'access/minted') {
				log.warn(`incident: ${message}`, { code });
				recordIncident(incident);
			}
			change([incident, ...incidents]);
		},
		clear(code: IncidentCode, about: string) {
			const shown = printable(about, MAX_CHARS);
			const isOver = (one: Incident) => one.code === code && one.about === shown && one.until === null;
			if (!incidents.some(isOver)) return;
			const until = new Date(ports.now()).toISOString();
			change(incidents.map((one) => (isOver(one) ? { ...one, until } : one)));
		},
		/** Newest first. */
		list: () => incidents,
		onChange: (listener: (incidents: Incident[]) => void) => void listeners.push(listener),
	};
}

export type IncidentLog = ReturnType<typeof createIncidentLog>;
