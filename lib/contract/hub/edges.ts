import * as z from 'zod';
import { EdgeLevel } from '../approvals/approval-record.ts';
import { hubName, TeamName, Timestamp } from '../ids.ts';
import { Sentences } from '../sentences.ts';

/** `pending`: joined by a fleet code, waits to be accepted. `quarantined`: may be a copy, waits for an admin. */
export const EdgeState = z.enum(['pending', 'joined', 'quarantined', 'revoked']);
export type EdgeState = z.infer<typeof EdgeState>;

/** How the page groups machines; `away`: joined, but not connected. */
export const EdgeGroup = z.enum(['connected', 'away', 'pending', 'quarantined', 'revoked']);
export type EdgeGroup = z.infer<typeof EdgeGroup>;

export const HubEdge = z.object({
	id: z.int().min(1),
	team: z.string(),
	name: z.string(),
	state: EdgeState,
	reason: z.string().nullable(),
	sentences: Sentences<'reason'>(),
	connected: z.boolean(),
	joinedAt: Timestamp,
	seenAt: Timestamp.nullable(),
	/** What it has not sent yet; null while it is away or has not reported. */
	behind: z.object({ bytes: z.int(), seconds: z.int() }).nullable(),
	/** Seconds; negative if its clock is behind. */
	clockAhead: z.int().nullable(),
	level: EdgeLevel,
	version: z.string().nullable(),
	/** It speaks an older protocol than this hub. */
	older: z.boolean(),
	labels: z.array(z.string()),
});
export type HubEdge = z.infer<typeof HubEdge>;

export const EdgesQuery = z.object({
	team: z.string().max(300).optional(),
	group: EdgeGroup.optional(),
	q: z.string().max(200).optional(),
});

export const HubEdges = z.object({
	edges: z.array(HubEdge),
	counts: z.record(EdgeGroup, z.int()),
	teams: z.array(z.string()),
	/** The reader may name a team that does not exist yet. */
	newTeams: z.boolean(),
});
export type HubEdges = z.infer<typeof HubEdges>;

export const EdgeLabels = z.array(hubName(40)).max(8);

export const CodeBody = z.strictObject({
	team: TeamName,
	uses: z.int().min(1).max(10_000).default(1),
	minutes: z.int().min(1).max(1440).default(60),
	labels: EdgeLabels.default([]),
});

/** `line`: the command that joins a machine by this code. */
export const MadeCode = z.object({ line: z.string(), until: Timestamp });
export type MadeCode = z.infer<typeof MadeCode>;

export const EdgeParam = z.object({ id: z.coerce.number<string>().int().min(1).max(2_147_483_647) });

export const EdgeChange = z.strictObject({
	/** `accept` takes in a pending machine, or a quarantined one as the right one. */
	action: z.enum(['accept', 'revoke']),
});
