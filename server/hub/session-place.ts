import { isSafeId } from '#lib/ids/safe-id.ts';
import type { HubSession, SessionName } from '../store/hub-store.ts';

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

/** How pages call a session of a hub: its edge's number and the client's id. */
export const nameOf = ({ edge, sessionId }: SessionName): string => `${edge}/${sessionId}`;

/** The session that a page means; undefined where it is no name of one. */
export function readName(name: string): SessionName | undefined {
	const [, edge, sessionId] = /^(\d{1,9})\/([\w-]+)$/.exec(name) ?? [];
	if (edge === undefined || !isSafeId(sessionId)) return;
	return { edge: Number(edge), sessionId };
}

const DAY_MS = 86_400_000;

/** The day of an instant (ms), in days since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
