import * as z from 'zod';

/** With a client: not asked; fails open, when its hook fails; or fails closed. */
export const GateCoverage = z.enum(['not-asked', 'opens', 'holds']);
export type GateCoverage = z.infer<typeof GateCoverage>;

export const RuleList = z.object({
	gates: z.array(
		z.object({
			id: z.string(),
			where: z.string(),
			profile: z.enum(['open', 'closed', 'supervisor']),
			rests: z.string(),
			settings: z.array(z.string()),
			/** In force, as JSON, by path; of the gate's own settings. */
			values: z.record(z.string(), z.string()),
			/** The settings that history is asked with when the gate is switched on. */
			rehearsedWith: z.record(z.string(), z.unknown()),
			denies: z.record(z.string(), z.string()),
			start: z.string(),
			/** Null if no setting switches it. */
			enabled: z.boolean().nullable(),
			switch: z.string(),
			/** Whether history can be judged again: no model and no reviewer is needed. */
			isRehearsed: z.boolean(),
			hold: z.boolean(),
			standing: z.record(z.string(), GateCoverage),
		}),
	),
	/** `isTried`: run with the real client. */
	makes: z.array(z.object({ name: z.string(), title: z.string(), isTried: z.boolean() })),
	rules: z.array(z.object({ rule: z.string(), denied: z.int(), overridden: z.int() })),
	policy: z
		.object({
			hub: z.string(),
			team: z.string(),
			version: z.int(),
			until: z.string(),
			/** Signed by a root passkey, so that it may also loosen. */
			mayLoosen: z.boolean(),
			says: z.record(z.string(), z.string()),
		})
		.nullable(),
	problems: z.array(z.string()),
});
export type RuleList = z.infer<typeof RuleList>;
