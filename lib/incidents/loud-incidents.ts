import type { Incident } from '../contract/health/incidents.ts';

/** How long a finished incident stays on every page, in ms. */
const LOUD_MS = 10 * 60_000;

/** Whether it lasted and is over; one that only happened at an instant never is. */
export const isOver = ({ at, until }: Pick<Incident, 'at' | 'until'>) => until !== null && until !== at;

/**
 * The incidents for every page: open ones and those of the last ten minutes. Whoever signs in has just made a link, so a new link
 * or token is shown only on pages opened before (`openedAt`, ms).
 */
export function loudIncidents(incidents: readonly Incident[], now: number, openedAt: number): Incident[] {
	return incidents.filter(({ code, at, until }) => {
		if (code === 'access/minted' && Date.parse(at) < openedAt) return false;
		return until === null || now - Date.parse(until) < LOUD_MS;
	});
}

/** Of those, the ones that somebody has to look at: Health shows them first, and all others as past. */
export const urgentIncidents = (incidents: readonly Incident[], now: number): Incident[] =>
	loudIncidents(incidents, now, now).filter((incident) => !isOver(incident));
