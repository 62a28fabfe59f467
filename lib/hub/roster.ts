import {
	type CommandRefusal,
	ROSTER_MS,
	type Roster,
	type RosterScope,
	type SignedEntry,
} from '../contract/hub/hub-commands.ts';

/** Tolerated difference of the clocks of hub and edge. */
const LEEWAY_MS = 60_000;

export interface RosterBasis {
	team: string;
	now: number;
	kept: Roster | undefined;
	isSame: (kept: Roster) => boolean;
}

/** Why an edge refuses a roster, or null. Root signatures are checked elsewhere. */
export function refuseRoster(
	{ team, version, until }: Roster,
	{ now, kept, ...basis }: RosterBasis,
): CommandRefusal | null {
	if (team !== basis.team) return 'roster/other-team';
	if (until <= now) return 'roster/expired';
	if (until > now + ROSTER_MS + LEEWAY_MS) return 'roster/too-long';
	if (!kept || version > kept.version) return null;
	if (version < kept.version) return 'roster/older';
	return basis.isSame(kept) ? null : 'roster/other-content';
}

export const isInForce = ({ until }: Roster, now: number): boolean => now < until + LEEWAY_MS;

/** For an unknown project only those may decide who may decide everywhere. */
export function coversScope(places: readonly RosterScope[], wanted: { team: string; project: string | null }): boolean {
	return places.some(
		({ team, project }) =>
			team === undefined || (team === wanted.team && (project === undefined || project === wanted.project)),
	);
}

/** The entry that a passkey's answer is checked against, or why there is none. */
export function findEntry(
	roster: Roster | undefined,
	wanted: {
		credential: string;
		person: { iss: string; sub: string };
		place: { team: string; project: string | null };
		now: number;
	},
): SignedEntry | CommandRefusal {
	const { credential, person, place, now } = wanted;
	if (!roster || !isInForce(roster, now)) return 'roster/none';
	const found = roster.entries.find(({ entry }) => entry.passkey.id === credential);
	if (!found) return 'roster/person';
	const { iss, sub } = found.entry.person;
	if (iss !== person.iss || sub !== person.sub) return 'roster/person';
	return coversScope(found.entry.places, place) ? found : 'roster/place';
}
