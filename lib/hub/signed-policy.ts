import * as z from 'zod';
import { RootSignature } from '../contract/hub/root-signature.ts';
import { Timestamp } from '../contract/ids.ts';
import { type PolicyBody, readPolicyBody } from '../settings/policy-settings.ts';

/** The longest that a policy holds without being signed anew: a year. */
export const MOST_POLICY_DAYS = 366;

/** Numbers fit a database's integer; a hub's key that is stolen and counted up to the end is replaced. */
export const PolicyVersion = z.int().min(1).max(2_147_483_647);

const Body = z.record(z.string(), z.unknown()).transform((given, context): PolicyBody => {
	const read = readPolicyBody(given);
	if ('body' in read) return read.body;
	context.addIssue({ code: 'custom', message: read.problem });
	return z.NEVER;
});

/** The rules of a team's machines: what `signalbox hub policy set` makes and an edge applies. */
export const Policy = z.strictObject({
	v: z.literal(1),
	team: z.string().min(1).max(200),
	/** Rises with each that the hub signs for the team. */
	version: PolicyVersion,
	made: Timestamp,
	/** From then on it holds nothing back. */
	expires: Timestamp,
	body: Body,
});
export type Policy = z.infer<typeof Policy>;

/** A policy with what stands for it: the hub's key, and a root passkey where it may hold back less than before. */
export const SignedPolicy = z.strictObject({
	policy: Policy,
	signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
	root: RootSignature.optional(),
});
export type SignedPolicy = z.infer<typeof SignedPolicy>;
