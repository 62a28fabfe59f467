import * as z from 'zod';
import { PasskeyAsk } from '../access/access.ts';
import { Timestamp } from '../ids.ts';

export const PolicyStatus = z.enum(['holds', 'waits', 'earlier', 'expired', 'removed']);
export type PolicyStatus = z.infer<typeof PolicyStatus>;

const HubPolicyVersion = z.object({
	version: z.int(),
	standing: PolicyStatus,
	made: Timestamp,
	until: Timestamp,
	byRoot: z.boolean(),
	says: z.record(z.string(), z.string()),
	/** For a version that waits, and a person who may sign it: what the browser asks a root passkey for. */
	ask: PasskeyAsk.nullable(),
});
export type HubPolicyVersion = z.infer<typeof HubPolicyVersion>;

export const TeamPolicy = z.object({
	id: z.int(),
	team: z.string(),
	versions: z.array(HubPolicyVersion),
	machines: z.array(
		z.object({
			edge: z.int(),
			name: z.string(),
			version: z.int().nullable(),
			state: z.enum(['waiting', 'done', 'refused']).nullable(),
			why: z.string().optional(),
		}),
	),
});
export type TeamPolicy = z.infer<typeof TeamPolicy>;

export const TeamPolicies = z.object({ teams: z.array(TeamPolicy) });

const Whole = z.coerce.number<string>().int().min(1).max(2_147_483_647);
export const PolicyParam = z.object({ team: Whole, version: Whole });

export const PolicySignature = z.strictObject({ answer: z.string().max(20_000) });
