import * as z from 'zod';
import { SessionId, Timestamp } from '../ids.ts';

/** `GET /api/fleet`: what sessions did in the last minutes, up to a day of them. */
export const FleetQuery = z.object({ minutes: z.coerce.number<number>().int().min(5).max(1440).default(60) });

const LaneState = z.enum(['working', 'waiting', 'reviewed', 'failed', 'idle', 'over']);

/** What one session did in that time. */
export const FleetLane = z.object({
	sessionId: SessionId,
	/** What it did when that time began; null where it had not begun, or that is no longer known. */
	before: LaneState.nullable(),
	moments: z.array(
		z.object({
			at: Timestamp,
			what: z.union([LaneState, z.enum(['denial', 'mismatch', 'decision'])]),
			/** The row of its story where that is told. */
			row: z.string(),
		}),
	),
});

export const Fleet = z.object({
	from: Timestamp,
	to: Timestamp,
	/** By the start of their sessions, the newest first. */
	lanes: z.array(FleetLane),
	/** Sessions that did something in that time and have no lane here. */
	more: z.int(),
});
export type Fleet = z.infer<typeof Fleet>;
export type FleetLane = Fleet['lanes'][number];
