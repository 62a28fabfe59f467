import type { ListGroup, SessionStatus } from '../contract/sessions/read-model/session-summary.ts';

export const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** When (ms) the reader's day around `now` (ms) began; `zone` is how many minutes UTC is ahead of the reader's clock. */
export function dayStart(now: number, zone: number): number {
	return Math.floor((now - zone * MINUTE_MS) / DAY_MS) * DAY_MS + zone * MINUTE_MS;
}

/**
 * The heading of a session with this status that was last heard of at `last` (ms). What is not under way is of the day
 * that began at `midnight` (ms), or older.
 */
export function listGroupOf(status: SessionStatus, last: number, midnight: number): ListGroup {
	if (status === 'running' || status === 'waiting') return 'Running';
	if (last < midnight || last >= midnight + DAY_MS) return 'Older';
	return status === 'idle' ? 'Idle' : 'Ended today';
}
