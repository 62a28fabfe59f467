import * as z from 'zod';
import { SessionId, Timestamp } from '../ids.ts';

export const FleetQuery = z.object({ minutes: z.coerce.number<number>().int().min(5).max(1440).default(60) });

const LaneState = z.enum(['working', 'waiting', 'reviewed', 'failed', 'idle', 'over']);

export const FleetLane = z.object({
	sessionId: SessionId,
	/** Null if unknown or not begun. */
	before: LaneState.nullable(),
	moments: z.array(
		z.object({
			at: Timestamp,
			what: z.union([LaneState, z.enum(['denial', 'mismatch', 'decision'])]),
			row: z.string(),
		}),
	),
});

export const Fleet = z.object({
	from: Timestamp,
	to: Timestamp,
	lanes: z.array(FleetLane),
	more: z.int(),
});
export type Fleet = z.infer<typeof Fleet>;
export type FleetLane = Fleet['lanes'][number];
