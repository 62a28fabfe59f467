import * as z from 'zod';
import { Decider } from '../events/catalogue/approval.ts';
import { SessionId, Timestamp } from '../ids.ts';
import { Make, Zone } from '../sessions/session-queries.ts';

/**
 * How it was decided in the end: by a person who was asked (approved, answered, denied) or who allowed it afterwards
 * (granted), by nobody who was asked (expired, abandoned), by a gate alone (unasked), or not yet (waiting). Late: a person
 * approved it, but the agent had been denied before it could hear of that.
 */
export const LedgerState = z.enum([
	...['waiting', 'approved', 'answered', 'denied', 'granted', 'expired', 'abandoned', 'late', 'unasked'],
] as const);
export type LedgerState = z.infer<typeof LedgerState>;

/** What came of it: whether the call ran after all. */
export const LedgerOutcome = z.enum(['waiting', 'running', 'ran', 'failed', 'never-ran', 'unknown']);
export type LedgerOutcome = z.infer<typeof LedgerOutcome>;

/** One line of the ledger: something that a gate denied or a person was asked about. */
export const LedgerEntry = z.object({
	sessionId: SessionId,
	/** Of its row in the session's story. */
	rowKey: z.string(),
	seq: z.int(),
	/** When it was decided; of what nobody decided, when it was denied or asked. */
	at: Timestamp,
	askedAt: Timestamp.optional(),
	tool: z.string(),
	/** One line for a person: the command, the file, the agent's task. */
	title: z.string(),
	agentId: z.string().optional(),
	/** What gates said against it. */
	denials: z.array(z.object({ gate: z.string(), rule: z.string(), reason: z.string() })),
	state: LedgerState,
	outcome: LedgerOutcome,
	by: Decider.optional(),
	/** The person's. */
	reason: z.string().optional(),
	/** How long the person took, in ms. */
	decideMs: z.number().nonnegative().optional(),
	/** It was denied and did not take place; rules count it. */
	isDenied: z.boolean(),
	/** A person let it run against a denial; rules and sessions count it. */
	isOverridden: z.boolean(),
	/** It is no call, but what kept an agent from stopping: sessions count only calls. */
	isStop: z.literal(true).optional(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const JudgedCall = z.object({ rowKey: z.string(), at: Timestamp, tool: z.string(), title: z.string() });

/** What happened next in the session of a decision. */
export const Followed = z.object({
	/** The next calls of the same agent, the first first, with what came of each. */
	calls: z.array(JudgedCall.extend({ outcome: LedgerOutcome })),
	/** Whether one of the same rules soon stopped a call of this session again: the first such call. */
	again: JudgedCall.optional(),
	/** The stage in which it was decided, and how that run of it ended; null: it has not. */
	stage: z.object({ stage: z.string(), result: z.string().nullable() }).optional(),
});
export type Followed = z.infer<typeof Followed>;

/** One element of `GET /api/decisions`; `agent`, its make, `project` and `branch` are the session's. */
export const DecisionRecord = LedgerEntry.extend({
	agent: z.string(),
	project: z.string().optional(),
	branch: z.string().optional(),
	/** At a hub: where it was decided. */
	machine: z.object({ name: z.string(), team: z.string() }).optional(),
	/** The archive that holds the session, where the home itself no longer does, or never did. */
	archive: z.string().optional(),
	/** Where it was asked for. */
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

/** Which lines of the ledger; all that is given must hold. Lists are separated by commas. */
export const LedgerFilter = z.object({
	/** Those that rules count as denied; those of them that sessions count, calls; those that both count as overridden. */
	kind: z.enum(['denied', 'denied-calls', 'overridden']).optional(),
	state: words.pipe(z.array(LedgerState)).optional(),
	outcome: words.pipe(z.array(LedgerOutcome)).optional(),
	rule: z.string().max(200).optional(),
	gate: z.string().max(200).optional(),
	/** As `personOf` names them. */
	person: z.string().max(200).optional(),
	project: z.string().max(200).optional(),
	make: Make.optional(),
	/** Ids, each alone or with the part of it that counts: `ID:FROM-TO` in ms since the epoch. */
	session: Spans.optional(),
	since: Timestamp.optional(),
	/** Exclusive. */
	until: Timestamp.optional(),
});
export type LedgerFilter = z.infer<typeof LedgerFilter>;

/** `GET /api/decisions` */
export const DecisionsQuery = LedgerFilter.extend({
	limit: z.coerce.number().int().min(1).max(500).default(100),
	/** `next` of the page before. */
	before: z
		.string()
		.regex(/^\d{1,16}-\d{1,16}$/)
		.optional(),
	/** Tells of each line what happened next. */
	followed: z.enum(['true']).optional(),
});

/** The newest first. */
export const DecisionsAnswer = z.object({
	decisions: z.array(DecisionRecord),
	/** `before` of the following page; null: this was the last. */
	next: z.string().nullable(),
	/** Sessions that only archives hold, and that are still being read for the first time; they are missing so far. */
	unread: z.int().optional(),
});
export type DecisionsAnswer = z.infer<typeof DecisionsAnswer>;

/** What days can be told apart by. */
export const LedgerSeriesBy = z.enum(['rule', 'person']);
export type LedgerSeriesBy = z.infer<typeof LedgerSeriesBy>;

/** `GET /api/decisions/summary`: with `by`, days of each rule or person, too. */
export const LedgerSummaryQuery = LedgerFilter.extend({ zone: Zone.optional(), by: LedgerSeriesBy.optional() });

const Figures = z.object({
	denied: z.int(),
	overridden: z.int(),
	/** The middle time that people took, in ms; null where nobody decided. */
	decideMs: z.number().nullable(),
});
const Named = Figures.extend({ name: z.string(), count: z.int() });
/** Each day of the reader that has lines, ascending: `2026-11-22`. */
const Days = z.array(Figures.extend({ day: z.string() }));

/** What the lines that fit come to. */
export const LedgerSummary = z.object({
	count: z.int(),
	...Figures.shape,
	/** The values that the lines have, the most frequent first. */
	states: z.array(z.object({ name: LedgerState, count: z.int() })),
	outcomes: z.array(z.object({ name: LedgerOutcome, count: z.int() })),
	rules: z.array(Named),
	gates: z.array(Named),
	people: z.array(Named),
	projects: z.array(Named),
	makes: z.array(Named),
	days: Days,
	/** Those of each of the most frequent rules or persons, the most frequent first; none where `by` was not asked for. */
	series: z.array(z.object({ name: z.string(), days: Days })),
});
export type LedgerSummary = z.infer<typeof LedgerSummary>;
