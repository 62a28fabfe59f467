import * as z from 'zod';
import { PasskeyAsk } from '../access/access.ts';
import { Timestamp } from '../ids.ts';

/** How a version of a team's policy stands: it is sent, waits for a root passkey, or was sent and is replaced, over or removed. */
export const PolicyStatus = z.enum(['holds', 'waits', 'earlier', 'expired', 'removed']);
export type PolicyStatus = z.infer<typeof PolicyStatus>;

const HubPolicyVersion = z.object({
	version: z.int(),
	standing: PolicyStatus,
	made: Timestamp,
	until: Timestamp,
	/** A root passkey stands for it. */
	byRoot: z.boolean(),
	/** What it says, by the paths of the settings; values as JSON. */
	says: z.record(z.string(), z.string()),
	/** Of one that waits, to whom may sign it: what a browser asks a root passkey for. */
	ask: PasskeyAsk.nullable(),
});
export type HubPolicyVersion = z.infer<typeof HubPolicyVersion>;

/** The policy of one team's machines. */
export const TeamPolicy = z.object({
	id: z.int(),
	team: z.string(),
	/** The newest first, 5 at most. */
	versions: z.array(HubPolicyVersion),
	/** Every joined machine of the team, by name; 500 at most. */
	machines: z.array(
		z.object({
			edge: z.int(),
			name: z.string(),
			/** The newest that it was given; null: none. */
			version: z.int().nullable(),
			/** What it made of that one. */
			state: z.enum(['waiting', 'done', 'refused']).nullable(),
			why: z.string().optional(),
		}),
	),
});
export type TeamPolicy = z.infer<typeof TeamPolicy>;

/** `GET /api/hub/policies`: of the teams that one watches, by name. */
export const TeamPolicies = z.object({ teams: z.array(TeamPolicy) });

const Whole = z.coerce.number<string>().int().min(1).max(2_147_483_647);
export const PolicyParam = z.object({ team: Whole, version: Whole });

/** `POST /api/hub/policies/:team/:version`: a root passkey's answer, base64url of its JSON. */
export const PolicySignature = z.strictObject({ answer: z.string().max(20_000) });
