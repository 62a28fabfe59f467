import type { CommandRefusal } from '../contract/hub/hub-refusal.ts';
import { ROSTER_MS, type Roster, type RosterScope, type SignedEntry } from '../contract/hub/hub-roster.ts';

/** The clocks of hub and edge may be so far apart. */
const LEEWAY_MS = 60_000;

/** What an edge holds a roster against that its hub has sent. */
export interface RosterBasis {
	/** The edge's own team. */
	team: string;
	/** ms since 1970. */
	now: number;
	/** The one that it has; undefined where it has none. */
	kept: Roster | undefined;
	/** Whether both say the same of everybody. */
	isSame: (kept: Roster) => boolean;
}

/** Why an edge does not take a roster, as a code; null where it does. Whether root passkeys have signed it is asked elsewhere. */
export function refuseRoster(
	{ team, version, until }: Roster,
	{ now, kept, ...ground }: RosterBasis,
): CommandRefusal | null {
	if (team !== ground.team) return 'roster/other-team';
	if (until <= now) return 'roster/expired';
	if (until > now + ROSTER_MS + LEEWAY_MS) return 'roster/too-long';
	if (!kept || version > kept.version) return null;
	if (version < kept.version) return 'roster/older';
	return ground.isSame(kept) ? null : 'roster/other-content';
}

/** Whether the hub's word for it still stands. */
export const isInForce = ({ until }: Roster, now: number): boolean => now < until + LEEWAY_MS;

/** Whether one of the places has the other one in it; nobody may decide about a project that is not known but who may all. */
export function coversScope(places: readonly RosterScope[], asked: { team: string; project: string | null }): boolean {
	return places.some(
		({ team, project }) =>
			team === undefined || (team === asked.team && (project === undefined || project === asked.project)),
	);
}

/** Why a passkey's answer for somebody cannot count for a call there, as a code; else the entry that it is to be held against. */
export function findEntry(
	roster: Roster | undefined,
	asked: {
		credential: string;
		person: { iss: string; sub: string };
		place: { team: string; project: string | null };
		now: number;
	},
): SignedEntry | CommandRefusal {
	const { credential, person, place, now } = asked;
	if (!roster || !isInForce(roster, now)) return 'roster/none';
	const found = roster.entries.find(({ entry }) => entry.passkey.id === credential);
	if (!found) return 'roster/person';
	const { iss, sub } = found.entry.person;
	if (iss !== person.iss || sub !== person.sub) return 'roster/person';
	return coversScope(found.entry.places, place) ? found : 'roster/place';
}
