import * as z from 'zod';
import { FeatureProject } from '../archives/features.ts';
import { GateDecision } from '../events/catalogue/judgement.ts';
import { SessionId, Timestamp } from '../ids.ts';

/** Settings by their whole path, such as `commands.exclude`. */
const Wish = z.record(z.string().max(100), z.unknown());
const ProjectId = FeatureProject.shape.id;

/** `GET /api/rejudge` */
export const RejudgeQuery = z.strictObject({
	/** The settings as JSON. */
	set: z.string().max(20_000),
	/** One session alone, or those of a project; without either all. */
	session: SessionId.optional(),
	project: ProjectId.optional(),
	/** `next` of the answer before. */
	before: z.string().max(300).optional(),
});
export type RejudgeQuery = z.infer<typeof RejudgeQuery>;

/** What settings would have said to a part of history; the parts that follow one another by `next` are the whole. */
export const RejudgeAnswer = z.object({
	sessions: z.int(),
	judged: z.int(),
	/** Verdicts whose facts cannot be judged again. */
	notJudged: z.int(),
	/** How many more verdicts would deny, and how many denials would not be. */
	added: z.int(),
	spared: z.int(),
	/** The changed verdicts, bounded: the counts are of all. */
	changed: z.array(
		z.object({
			sessionId: SessionId,
			/** Empty where no call of a tool was judged. */
			toolUseId: z.string(),
			/** When it was asked. */
			at: Timestamp,
			before: GateDecision,
			after: GateDecision,
			rule: z.string(),
			/** Agent text. */
			title: z.string(),
			/** Whether it ran in the end. */
			ran: z.boolean(),
		}),
	),
	next: z.string().nullable(),
});
export type RejudgeAnswer = z.infer<typeof RejudgeAnswer>;

/** `GET /api/settings/change`: what writing settings would make of a config file. */
export const SettingsChangeQuery = z.strictObject({
	set: z.string().max(20_000),
	/** Into that project's file; without it into the home's. */
	project: ProjectId.optional(),
});

export const SettingsChange = z.object({
	/** The file's path. */
	file: z.string(),
	before: z.string(),
	after: z.string(),
	/** What the file says of each setting now, null where nothing: written, it undoes the change. */
	was: z.record(z.string(), z.unknown()),
	/** The digest of what the file holds now: what was looked at is what is changed. */
	expect: z.string(),
});
export type SettingsChange = z.infer<typeof SettingsChange>;

/** `POST /api/settings/change` */
export const SettingsChangeBody = z.strictObject({
	set: Wish,
	project: ProjectId.optional(),
	expect: z.string().max(100),
});
export type SettingsChangeBody = z.infer<typeof SettingsChangeBody>;
