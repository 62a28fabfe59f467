import type { Incident } from '../contract/health/incidents.ts';

/** How long a finished incident stays on every page, in ms. */
const LOUD_MS = 10 * 60_000;

/**
 * The incidents that are shown on every page: open ones, and those that ended in the last ten minutes. A new sign-in link or
 * token is shown only on pages that were open before (`openedAt`, ms): whoever signs in has just made a link.
 */
export function loudIncidents(incidents: readonly Incident[], now: number, openedAt: number): Incident[] {
	return incidents.filter(({ code, at, until }) => {
		if (code === 'access/minted' && Date.parse(at) < openedAt) return false;
		return until === null || now - Date.parse(until) < LOUD_MS;
	});
}
