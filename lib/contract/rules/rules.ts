import * as z from 'zod';

/**
 * How a gate stands with a make of agent: it is not asked there; what it says holds, but where its hook fails the call
 * runs (opens); or nothing runs there that it has not judged (holds).
 */
export const GateCoverage = z.enum(['not-asked', 'opens', 'holds']);
export type GateCoverage = z.infer<typeof GateCoverage>;

/** `GET /api/rules`: how the gates stand by the person's own settings, and what each rule has done. */
export const RuleList = z.object({
	gates: z.array(
		z.object({
			id: z.string(),
			/** The agent's events and tools at which it is asked. */
			where: z.string(),
			/** What becomes of a call that it cannot judge. */
			profile: z.enum(['open', 'closed', 'supervisor']),
			/** How far it holds: as a guard, or as guidance, and then why. */
			rests: z.string(),
			/** The paths of its settings. */
			settings: z.array(z.string()),
			/** What each of its rules that can deny forbids. */
			denies: z.record(z.string(), z.string()),
			/** Where nothing is set: when it judges, in words. */
			start: z.string(),
			/** Null where something else than a setting says whether it judges. */
			enabled: z.boolean().nullable(),
			/** The path of the setting that switches it. */
			switch: z.string(),
			/** Whether history can be asked what it would have said: no model and no reviewer judges for it. */
			isRehearsed: z.boolean(),
			/** Whether its denial may wait for a person. */
			hold: z.boolean(),
			/** How it stands with each make of agent, by the make's name. */
			standing: z.record(z.string(), GateCoverage),
		}),
	),
	/** Every make of agent; `isTried`: it was run with the real client, not read about alone. */
	makes: z.array(z.object({ name: z.string(), title: z.string(), isTried: z.boolean() })),
	/** Over all sessions that are indexed. `overridden`: a person let the call run against it. */
	rules: z.array(z.object({ rule: z.string(), denied: z.int(), overridden: z.int() })),
	/** What holds here by the hub that this home has joined; null where no policy does. */
	policy: z
		.object({
			hub: z.string(),
			team: z.string(),
			version: z.int(),
			/** ISO. */
			until: z.string(),
			/** A root passkey stands for it, so that it may also hold back less than is usual. */
			mayLoosen: z.boolean(),
			/** What it says, by the paths of the settings; values as JSON. */
			says: z.record(z.string(), z.string()),
		})
		.nullable(),
	/** What is wrong in the person's settings file, and was ignored. */
	problems: z.array(z.string()),
});
export type RuleList = z.infer<typeof RuleList>;
