import * as z from 'zod';
import { EdgeLevel } from '../approvals/approval-record.ts';
import { Timestamp } from '../ids.ts';
import { hubName, TeamName } from './hub-name.ts';

/**
 * How a machine stands with its hub: a pending one has come by a fleet's code, and nothing is taken of it until an admin or a
 * rule takes it in; a quarantined one is not listened to until an admin has looked.
 */
export const EdgeState = z.enum(['pending', 'joined', 'quarantined', 'revoked']);
export type EdgeState = z.infer<typeof EdgeState>;

/** What lists of machines are narrowed to: a joined one is connected, or away. */
export const EdgeGroup = z.enum(['connected', 'away', 'pending', 'quarantined', 'revoked']);
export type EdgeGroup = z.infer<typeof EdgeGroup>;

/** One machine of a hub, as an admin of its team sees it. */
export const HubEdge = z.object({
	id: z.int().min(1),
	team: z.string(),
	/** As it joined. */
	name: z.string(),
	state: EdgeState,
	/** Why it is quarantined. */
	reason: z.string().nullable(),
	connected: z.boolean(),
	joinedAt: Timestamp,
	/** When it was heard of last; null: not since it joined. */
	seenAt: Timestamp.nullable(),
	/** What the hub did not have of it when it told last; null where it is away, or has not told yet. */
	behind: z.object({ bytes: z.int(), seconds: z.int() }).nullable(),
	/** By how many seconds its clock is ahead of the hub's, as it told last. */
	clockAhead: z.int().nullable(),
	/** What its owner lets people decide from here: nothing, what the hub says, or what a passkey has signed. */
	level: EdgeLevel,
	/** Of its Signalbox. */
	version: z.string().nullable(),
	/** It speaks the wire before the hub's: what the newer one brought does not come of it. */
	older: z.boolean(),
	/** As its code gave them. */
	labels: z.array(z.string()),
});
export type HubEdge = z.infer<typeof HubEdge>;

/** `GET /api/hub/edges`: without a query all machines of one's teams. */
export const EdgesQuery = z.object({
	team: z.string().max(300).optional(),
	group: EdgeGroup.optional(),
	/** Only those that have every one of these words in name, team or labels. */
	q: z.string().max(200).optional(),
});

export const HubEdges = z.object({
	/** Those that somebody has to look at first, then by name; 500 at most. */
	edges: z.array(HubEdge),
	/** How many there are of each, whatever `group` was asked for. */
	counts: z.record(EdgeGroup, z.int()),
	/** For which teams one may make codes. */
	teams: z.array(z.string()),
	/** A code may also be for a team that there is not yet. */
	newTeams: z.boolean(),
});
export type HubEdges = z.infer<typeof HubEdges>;

/** What machines are found by, and taken in by where a rule says so; `name=value` or a word. */
export const EdgeLabels = z.array(hubName(40)).max(8);

/**
 * `POST /api/hub/codes`: for how many machines of which team, and for how long. One for several is a fleet's: its machines
 * are pending at first.
 */
export const CodeBody = z.strictObject({
	team: TeamName,
	uses: z.int().min(1).max(10_000).default(1),
	minutes: z.int().min(1).max(1440).default(60),
	labels: EdgeLabels.default([]),
});

/** The line to run on a machine. It holds the code, and is told this once. */
export const MadeCode = z.object({ line: z.string(), until: Timestamp });
export type MadeCode = z.infer<typeof MadeCode>;

export const EdgeParam = z.object({ id: z.coerce.number<string>().int().min(1).max(2_147_483_647) });

/** `POST /api/hub/edges/:id` */
export const EdgeChange = z.strictObject({
	/** `accept` takes a pending machine in, or a quarantined one back as the right one; `revoke` sends it away until it joins anew. */
	action: z.enum(['accept', 'revoke']),
});
