import * as z from 'zod';
import { Decider } from '../events/catalogue/approval.ts';
import { SessionId, Timestamp } from '../ids.ts';
import { ClientName, Zone } from '../sessions/session-queries.ts';

/**
 * `expired`, `abandoned`: no one decided in time. `unasked`: a gate alone decided. `late`: approved after the agent was denied.
 */
export const LedgerState = z.enum([
	'waiting',
	'approved',
	'answered',
	'denied',
	'granted',
	'expired',
	'abandoned',
	'late',
	'unasked',
] as const);
export type LedgerState = z.infer<typeof LedgerState>;

export const LedgerOutcome = z.enum(['waiting', 'running', 'ran', 'failed', 'never-ran', 'unknown']);
export type LedgerOutcome = z.infer<typeof LedgerOutcome>;

export const LedgerEntry = z.object({
	sessionId: SessionId,
	rowKey: z.string(),
	seq: z.int(),
	at: Timestamp,
	askedAt: Timestamp.optional(),
	tool: z.string(),
	title: z.string(),
	agentId: z.string().optional(),
	denials: z.array(z.object({ gate: z.string(), rule: z.string(), reason: z.string() })),
	state: LedgerState,
	outcome: LedgerOutcome,
	by: Decider.optional(),
	reason: z.string().optional(),
	decideMs: z.number().nonnegative().optional(),
	isDenied: z.boolean(),
	isOverridden: z.boolean(),
	/** The denial kept an agent from stopping. Sessions do not count it: they count calls. */
	isStop: z.literal(true).optional(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const JudgedCall = z.object({ rowKey: z.string(), at: Timestamp, tool: z.string(), title: z.string() });

export const Followed = z.object({
	calls: z.array(JudgedCall.extend({ outcome: LedgerOutcome })),
	again: JudgedCall.optional(),
	/** The stage in which it was decided, and how that run ended; null if it did not. */
	stage: z.object({ stage: z.string(), result: z.string().nullable() }).optional(),
});
export type Followed = z.infer<typeof Followed>;

export const DecisionRecord = LedgerEntry.extend({
	agent: z.string(),
	project: z.string().optional(),
	branch: z.string().optional(),
	machine: z.object({ name: z.string(), team: z.string() }).optional(),
	/** The archive with the session, if the home does not have it. */
	archive: z.string().optional(),
	followed: Followed.optional(),
});
export type DecisionRecord = z.infer<typeof DecisionRecord>;

const words = z
	.string()
	.max(2000)
	.transform((list) => list.split(',').filter(Boolean));
const Spans = z
	.string()
	.max(20_000)
	.regex(/^[\w-]+(?::\d{1,16}-\d{1,16})?(?:,[\w-]+(?::\d{1,16}-\d{1,16})?)*$/, 'session ids, separated by commas');

/** All that is given must hold; lists are separated by commas. */
export const LedgerFilter = z.object({
	/** Denied as rules count, or only calls as sessions count. */
	kind: z.enum(['denied', 'denied-calls', 'overridden']).optional(),
	state: words.pipe(z.array(LedgerState)).optional(),
	outcome: words.pipe(z.array(LedgerOutcome)).optional(),
	rule: z.string().max(200).optional(),
	gate: z.string().max(200).optional(),
	person: z.string().max(200).optional(),
	project: z.string().max(200).optional(),
	make: ClientName.optional(),
	/** `ID` or `ID:FROM-TO` in ms since the epoch. */
	session: Spans.optional(),
	since: Timestamp.optional(),
	until: Timestamp.optional(),
});
export type LedgerFilter = z.infer<typeof LedgerFilter>;

export const DecisionsQuery = LedgerFilter.extend({
	limit: z.coerce.number().int().min(1).max(500).default(100),
	before: z
		.string()
		.regex(/^\d{1,16}-\d{1,16}$/)
		.optional(),
	followed: z.enum(['true']).optional(),
});

export const DecisionsAnswer = z.object({
	decisions: z.array(DecisionRecord),
	next: z.string().nullable(),
	unread: z.int().optional(),
});
export type DecisionsAnswer = z.infer<typeof DecisionsAnswer>;

export const LedgerSeriesBy = z.enum(['rule', 'person']);
export type LedgerSeriesBy = z.infer<typeof LedgerSeriesBy>;

export const LedgerSummaryQuery = LedgerFilter.extend({ zone: Zone.optional(), by: LedgerSeriesBy.optional() });

const Figures = z.object({
	denied: z.int(),
	overridden: z.int(),
	decideMs: z.number().nullable(),
});
const Named = Figures.extend({ name: z.string(), count: z.int() });
/** `2026-11-22` by the reader's clock, ascending; days without lines are left out. */
const Days = z.array(Figures.extend({ day: z.string() }));

export const LedgerSummary = z.object({
	count: z.int(),
	...Figures.shape,
	states: z.array(z.object({ name: LedgerState, count: z.int() })),
	outcomes: z.array(z.object({ name: LedgerOutcome, count: z.int() })),
	rules: z.array(Named),
	gates: z.array(Named),
	people: z.array(Named),
	projects: z.array(Named),
	makes: z.array(Named),
	days: Days,
	series: z.array(z.object({ name: z.string(), days: Days })),
});
export type LedgerSummary = z.infer<typeof LedgerSummary>;
