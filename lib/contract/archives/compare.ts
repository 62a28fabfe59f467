import * as z from 'zod';
import type { Tone } from '../events/event-labels.ts';
import { SessionId, Timestamp } from '../ids.ts';

const Whole = z.int().nonnegative();
const Ms = z.number().nonnegative();
const looks = ['run', 'ok', 'warn', 'err', 'wait', 'plain'] as const satisfies readonly Tone[];

/** What a person names a run by: an archive's id or folder, a feature, a session, or `previous`. */
export const RunName = z.string().min(1).max(200);

/** `GET /api/compare` */
export const CompareQuery = z.object({ a: RunName, b: RunName });

/** A place in a recording: the story's row, and the instant at which it stands. */
export const RunPosition = z.object({
	sessionId: SessionId,
	row: z.string(),
	at: Timestamp,
	/** Time of work since the run began, in ms. */
	ms: Ms,
	/** What differs is told there; false: it would have stood there, but this run has nothing of the kind. */
	has: z.boolean(),
});
export type RunPosition = z.infer<typeof RunPosition>;

/** One line of a run's story. */
export const StoryLine = z.object({
	sessionId: SessionId,
	row: z.string(),
	at: Timestamp,
	label: z.string(),
	/** Agent text, one line. */
	text: z.string(),
	tone: z.enum(looks),
});
export type StoryLine = z.infer<typeof StoryLine>;

/** One run of a stage with what was told from its beginning up to the next one's; before the first stage its name is empty. */
export const StagePass = z.object({
	stage: z.string(),
	/** 1 for its first run, 2 for that after it. */
	nth: z.int().positive(),
	sessionId: SessionId,
	/** The row that began it. */
	row: z.string(),
	from: Timestamp,
	/** Time of work since the run began, in ms, idle time apart. */
	fromMs: Ms,
	toMs: Ms,
	/** It has not ended. */
	isOpen: z.boolean(),
	/** What its agent said of it: `pass`, `fail`, `reject`, `issues`, `unclear`; absent where nothing is known. */
	result: z.string().optional(),
	/** It ran beside others. */
	group: z.string().optional(),
	/** Why it was begun again. */
	why: z.string().optional(),
	calls: Whole,
	/** The first lines of its story, and those that matter; `more` further ones are in the recording. */
	lines: z.array(StoryLine),
	more: Whole,
});
export type StagePass = z.infer<typeof StagePass>;

/** The same run of a stage in both; null where one of them has none. */
export const StagePair = z.object({
	stage: z.string(),
	nth: z.int().positive(),
	a: StagePass.nullable(),
	b: StagePass.nullable(),
	/** How often the two went apart in it. */
	divergences: Whole,
});
export type StagePair = z.infer<typeof StagePair>;

/** What can be otherwise in one of two runs. */
export const DivergenceKind = z.enum([
	...['workflow', 'stage', 'repeat', 'order', 'agent', 'mismatch', 'denial', 'stop', 'override', 'review'],
	...['failure', 'verdict', 'call', 'end'],
] as const);
export type DivergenceKind = z.infer<typeof DivergenceKind>;

/** One place where the two runs went apart. */
export const Divergence = z.object({
	kind: DivergenceKind,
	/** The stage's run in which it is; empty before the first stage. */
	stage: z.string(),
	nth: z.int().positive(),
	/** One sentence; parts of it are agent text. */
	explanation: z.string(),
	a: RunPosition.nullable(),
	b: RunPosition.nullable(),
});
export type Divergence = z.infer<typeof Divergence>;

/** What a row of the table is about; `run` are the totals. */
export const DifferenceGroup = z.enum(['run', 'stages', 'agents', 'tools', 'rules', 'models', 'files']);
export type DifferenceGroup = z.infer<typeof DifferenceGroup>;

/** One number of both runs; null where a run does not tell it. */
export const Difference = z.object({
	group: DifferenceGroup,
	/** Of the totals a word of our own, else agent text: a stage, an agent, a tool, a rule, a model, a path. */
	name: z.string(),
	unit: z.enum(['count', 'ms', 'tokens', 'usd', 'share', 'lines']),
	a: z.number().nullable(),
	b: z.number().nullable(),
	/** How far apart, 0 to 1: the difference as a share of the larger one. */
	size: z.number().min(0).max(1),
});
export type Difference = z.infer<typeof Difference>;

/** One of the two runs: an archived feature, or a session. */
export const ComparedRun = z.object({
	kind: z.enum(['archive', 'session']),
	/** Of the archive, or the session. */
	id: z.string(),
	/** For a person: the feature or the session's first words. */
	title: z.string(),
	feature: z.string().optional(),
	project: z.string().optional(),
	workflow: z.string().optional(),
	archivedAt: Timestamp.optional(),
	sessions: z.array(SessionId),
	from: Timestamp.nullable(),
	to: Timestamp.nullable(),
	/** A session of it goes on. */
	isOpen: z.boolean(),
	/** How it ended: its workflow was completed or aborted; `open` where nothing says so. */
	ended: z.enum(['complete', 'abort', 'open']),
	workMs: Ms,
	idleMs: Ms,
	events: Whole,
	/** It has more events, or runs of stages, than are compared; what is said holds up to there. */
	isCut: z.boolean(),
});
export type ComparedRun = z.infer<typeof ComparedRun>;

/** Two runs laid side by side. */
export const Comparison = z.object({
	/** Nothing in the table or the way differs. */
	isSame: z.boolean(),
	a: ComparedRun,
	b: ComparedRun,
	/** Where they first went apart; null where they never did. */
	divergence: Divergence.nullable(),
	/** All such places, the first of them included, in their order; at most 200. */
	divergences: z.array(Divergence),
	differences: z.array(Difference),
	stages: z.array(StagePair),
});
export type Comparison = z.infer<typeof Comparison>;
