import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import { MOST_LANES } from './fleet-of.ts';

const MINUTE_MS = 60_000;
const UNDER_WAY: ReadonlySet<SessionSummary['status']> = new Set(['running', 'waiting']);

/** How many lanes the strip will have, as far as the listed sessions tell: its room is kept before they come. */
export function lanesToCome(
	sessions: Readonly<Record<string, SessionSummary>> | null,
	minutes: number,
	now: number,
): number {
	const from = new Date(now - minutes * MINUTE_MS).toISOString();
	const all = Object.values(sessions ?? {});
	return Math.min(MOST_LANES, all.filter(({ status, lastAt = '' }) => UNDER_WAY.has(status) || lastAt >= from).length);
}
