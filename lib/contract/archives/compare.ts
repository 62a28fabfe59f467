import * as z from 'zod';
import type { Tone } from '../events/event-labels.ts';
import { SessionId, Timestamp } from '../ids.ts';
import { Sentences } from '../sentences.ts';

const Whole = z.int().nonnegative();
const Ms = z.number().nonnegative();
const looks = ['run', 'ok', 'warn', 'err', 'wait', 'plain'] as const satisfies readonly Tone[];

/** An archive's id or folder, a feature, a session, or `previous`. */
export const RunName = z.string().min(1).max(200);

export const CompareQuery = z.object({ a: RunName, b: RunName });

export const RunPosition = z.object({
	sessionId: SessionId,
	row: z.string(),
	at: Timestamp,
	ms: Ms,
	/** False: it would be here, but this run has nothing of the kind. */
	has: z.boolean(),
});
export type RunPosition = z.infer<typeof RunPosition>;

export const StoryLine = z.object({
	sessionId: SessionId,
	row: z.string(),
	at: Timestamp,
	label: z.string(),
	text: z.string(),
	sentences: Sentences<'text'>(),
	tone: z.enum(looks),
});
export type StoryLine = z.infer<typeof StoryLine>;

/** One run of a stage with its story up to the next one; empty before the first stage. */
export const StagePass = z.object({
	stage: z.string(),
	nth: z.int().positive(),
	sessionId: SessionId,
	row: z.string(),
	from: Timestamp,
	fromMs: Ms,
	toMs: Ms,
	isOpen: z.boolean(),
	result: z.string().optional(),
	group: z.string().optional(),
	why: z.string().optional(),
	calls: Whole,
	/** The first lines of its story, and those that matter; `more` further ones are in the recording. */
	lines: z.array(StoryLine),
	more: Whole,
});
export type StagePass = z.infer<typeof StagePass>;

/** The same run of a stage in both; null if one has none. */
export const StagePair = z.object({
	stage: z.string(),
	nth: z.int().positive(),
	a: StagePass.nullable(),
	b: StagePass.nullable(),
	divergences: Whole,
});
export type StagePair = z.infer<typeof StagePair>;

export const DivergenceKind = z.enum([
	'workflow',
	'stage',
	'repeat',
	'order',
	'agent',
	'mismatch',
	'denial',
	'stop',
	'override',
	'review',
	'failure',
	'verdict',
	'call',
	'end',
] as const);
export type DivergenceKind = z.infer<typeof DivergenceKind>;

export const Divergence = z.object({
	kind: DivergenceKind,
	stage: z.string(),
	nth: z.int().positive(),
	explanation: z.string(),
	sentences: Sentences<'explanation'>(),
	a: RunPosition.nullable(),
	b: RunPosition.nullable(),
});
export type Divergence = z.infer<typeof Divergence>;

/** `run` are the totals. */
export const DifferenceGroup = z.enum(['run', 'stages', 'agents', 'tools', 'rules', 'models', 'files']);
export type DifferenceGroup = z.infer<typeof DifferenceGroup>;

export const Difference = z.object({
	group: DifferenceGroup,
	name: z.string(),
	unit: z.enum(['count', 'ms', 'tokens', 'usd', 'share', 'lines']),
	a: z.number().nullable(),
	b: z.number().nullable(),
	/** The difference as a share of the larger number, 0 to 1. */
	size: z.number().min(0).max(1),
});
export type Difference = z.infer<typeof Difference>;

export const ComparedRun = z.object({
	kind: z.enum(['archive', 'session']),
	id: z.string(),
	title: z.string(),
	feature: z.string().optional(),
	project: z.string().optional(),
	workflow: z.string().optional(),
	archivedAt: Timestamp.optional(),
	sessions: z.array(SessionId),
	from: Timestamp.nullable(),
	to: Timestamp.nullable(),
	isOpen: z.boolean(),
	ended: z.enum(['complete', 'abort', 'open']),
	workMs: Ms,
	idleMs: Ms,
	events: Whole,
	isCut: z.boolean(),
});
export type ComparedRun = z.infer<typeof ComparedRun>;

export const Comparison = z.object({
	isSame: z.boolean(),
	a: ComparedRun,
	b: ComparedRun,
	divergence: Divergence.nullable(),
	divergences: z.array(Divergence),
	differences: z.array(Difference),
	stages: z.array(StagePair),
});
export type Comparison = z.infer<typeof Comparison>;
