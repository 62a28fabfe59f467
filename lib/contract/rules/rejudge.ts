import * as z from 'zod';
import { FeatureProject } from '../archives/features.ts';
import { GateDecision } from '../events/catalogue/judgement.ts';
import { SessionId, Timestamp } from '../ids.ts';

/** By path, such as `commands.exclude`. */
const ProposedSettings = z.record(z.string().max(100), z.unknown());
const ProjectId = FeatureProject.shape.id;

export const RejudgeQuery = z.strictObject({
	set: z.string().max(20_000),
	/** The settings in force: what `set` adds to their lists or removes is tried on each day's own list. Without it a list is replaced. */
	base: z.string().max(20_000).optional(),
	session: SessionId.optional(),
	project: ProjectId.optional(),
	before: z.string().max(300).optional(),
});
export type RejudgeQuery = z.infer<typeof RejudgeQuery>;

export const RejudgeAnswer = z.object({
	sessions: z.int(),
	judged: z.int(),
	/** Verdicts whose facts cannot be judged again. */
	notJudged: z.int(),
	/** More verdicts that would deny, and denials that would not. */
	added: z.int(),
	spared: z.int(),
	/** Bounded; the counts are of all. */
	changed: z.array(
		z.object({
			sessionId: SessionId,
			toolUseId: z.string(),
			at: Timestamp,
			before: GateDecision,
			after: GateDecision,
			rule: z.string(),
			title: z.string(),
			ran: z.boolean(),
		}),
	),
	next: z.string().nullable(),
});
export type RejudgeAnswer = z.infer<typeof RejudgeAnswer>;

export const SettingsChangeQuery = z.strictObject({ set: z.string().max(20_000), project: ProjectId.optional() });

export const SettingsChange = z.object({
	file: z.string(),
	before: z.string(),
	after: z.string(),
	/** Null for absent; written, it undoes the change. */
	was: z.record(z.string(), z.unknown()),
	/** The digest of the file: what was shown is what is changed. */
	expect: z.string(),
});
export type SettingsChange = z.infer<typeof SettingsChange>;

export const SettingsChangeBody = z.strictObject({
	set: ProposedSettings,
	project: ProjectId.optional(),
	expect: z.string().max(100),
});
export type SettingsChangeBody = z.infer<typeof SettingsChangeBody>;
