import type { HubSession } from '../store/hub-store.ts';

/** The columns of a session that everybody reads, of the table `s`. */
export const SESSION =
	's.key, s.part, s.edge, s.session_id, s.gen, s.off, s.tail_digest, s.seq, s.epoch, s.fold, s.project';

/** A line of `sessions`, as Postgres gives it. */
export interface SessionLine {
	key: number;
	part: number;
	edge: number;
	session_id: string;
	gen: number;
	off: number;
	tail_digest: string;
	seq: number;
	epoch: string;
	fold: number;
	project: string | null;
}

/** A session with the partition that it lies in: the day (since 1970) on which the hub first heard of it. */
export interface PlacedSession extends HubSession {
	part: number;
}

/** The session of a line. */
export function sessionOf({ session_id, tail_digest, off, project: _, ...line }: SessionLine): PlacedSession {
	return { ...line, sessionId: session_id, tailDigest: tail_digest, offset: off };
}

const DAY_MS = 86_400_000;

/** The day of an instant (ms), in days since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
