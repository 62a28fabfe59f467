import { blobRefsIn } from '../contract/events/blob-refs.ts';
import type { GateDecision } from '../contract/events/catalogue/judgement.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { type GateRow, strictest, type Verdict } from '../gates/gate.ts';
import type { GateSetting } from '../gates/gate-setting.ts';
import { gateTable, ownSettings } from '../gates/gate-table.ts';
import { callTitle } from '../session/call.ts';
import { isRehearsed, type RecordedHook, RecordedSession } from './recorded-hook.ts';
import type { RejudgeSettings } from './rejudge-settings.ts';

/** A call, or an end of a turn, that other settings would have answered differently. */
export interface ChangedVerdict {
	sessionId: string;
	/** Empty if no call of a tool was judged. */
	toolUseId: string;
	/** When it was asked, ISO. */
	at: string;
	before: GateDecision;
	after: GateDecision;
	/** The rule of the new denial; if nothing denies any more, the former one. */
	rule: string;
	title: string;
	/** Whether it ran, by itself or because a person let it. */
	ran: boolean;
}

/** The result of judging a session again. Verdicts whose facts cannot be judged again are counted, never guessed. */
export interface Rejudged {
	judged: number;
	notJudged: number;
	changed: ChangedVerdict[];
}

type VerdictEvent = EventOf<'gate:verdict'>;

/** What is known about one call, or about one hook without a call. */
interface JudgedCall {
	toolUseId: string;
	at: string;
	/** The first verdict of each gate: later ones come from a release, after a person's decision. */
	verdicts: Map<string, VerdictEvent>;
	/** Gates whose verdict on the same hook is a separate entry. */
	judgedApart: Set<string>;
	call?: EventOf<'tool:call'>;
	/** From it, gates that were off then get their facts. */
	hook?: RecordedHook;
	isOverridden: boolean;
	ran: boolean;
}

/** A gate's verdict as recorded, and as the tried settings make it: null if they switch the gate off. */
interface Rejudgement {
	before: GateDecision;
	after: PlainVerdict | null;
	rule: string;
}

type PlainVerdict = Pick<Verdict, 'decision' | 'rule'>;
/** A gate's verdict on recorded facts; null if they are incomplete or moved to a blob. */
type Judge = (row: GateRow, facts: VerdictEvent['facts']) => PlainVerdict | null;

const rows = new Map<string, GateRow>(gateTable.map((row) => [row.id, row]));
/** How many judgements of one session are cached, for facts up to this length as JSON. */
const MAX_CACHED = 5000;
const MAX_CACHED_CHARS = 2000;

/**
 * Judges one session's events again, by the gates themselves and the facts that they recorded: every event is added in its
 * order, and then each call is judged in a step of its own.
 */
export function createRejudge(settings: RejudgeSettings) {
	const result: Rejudged = { judged: 0, notJudged: 0, changed: [] };
	const calls = new Map<string, JudgedCall>();
	const session = new RecordedSession();
	const context: RejudgeContext = { settings, tried: triedGates(settings), judge: cachedJudge(), session };
	let lastEnd: JudgedCall | undefined;
	return {
		add(event: IndexedEvent): void {
			session.sessionId = event.sessionId ?? session.sessionId;
			if (!isKnown(event) || event.unverified) return;
			const hook = session.add(event);
			if (hook?.at === 'turn-end') {
				lastEnd = { ...newCall('', event.ts), hook };
				calls.set(event.id, lastEnd);
			}
			if (event.type === 'supervisor:verdict') rejudgeReview(event, settings, result);
			else collect(calls, event, hook);
			// The verdicts on the end of a turn follow it, each judged again for itself.
			if (event.type === 'gate:verdict' && !event.toolUseId) lastEnd?.judgedApart.add(event.gate);
		},
		*judge(): Generator<undefined, Rejudged> {
			for (const each of calls.values()) {
				rejudgeCall(each, context, result);
				yield;
			}
			return result;
		},
	};
}

interface RejudgeContext {
	settings: RejudgeSettings;
	tried: readonly GateRow[];
	judge: Judge;
	session: RecordedSession;
}

const newCall = (toolUseId: string, at: string): JudgedCall => ({
	toolUseId,
	at,
	verdicts: new Map(),
	judgedApart: new Set(),
	isOverridden: false,
	ran: false,
});

/** Adds an event to its call; a verdict without a call is separate. */
function collect(calls: Map<string, JudgedCall>, event: KnownEvent, hook: RecordedHook | undefined): void {
	const toolUseId = event.toolUseId ?? '';
	const isVerdict = event.type === 'gate:verdict';
	if (toolUseId === '' && !isVerdict) return;
	const key = toolUseId || event.id;
	const judgedCall: JudgedCall = calls.get(key) ?? newCall(toolUseId, event.ts);
	if (!calls.has(key)) calls.set(key, judgedCall);
	if (isVerdict && !judgedCall.verdicts.has(event.gate)) judgedCall.verdicts.set(event.gate, event);
	if (event.type === 'tool:call') Object.assign(judgedCall, { call: event, hook });
	if (event.type === 'tool:result' || event.type === 'tool:error') judgedCall.ran = true;
	if (event.type === 'grant:use' || (event.type === 'approval:resolve' && event.decision === 'approve'))
		judgedCall.isOverridden = true;
	if (event.type === 'approval:late') judgedCall.isOverridden = false;
}

function rejudgeCall(judgedCall: JudgedCall, context: RejudgeContext, result: Rejudged): void {
	const again: Rejudgement[] = [];
	const add = (verdict: Rejudgement | 'unknown' | null) => {
		if (verdict === 'unknown') result.notJudged += 1;
		else if (verdict) again.push(verdict);
	};
	for (const event of judgedCall.verdicts.values())
		add(judgeAgain(event, judgedCall.isOverridden, context) ?? 'unknown');
	const { verdicts, judgedApart } = judgedCall;
	for (const row of context.tried) {
		if (!verdicts.has(row.id) && !judgedApart.has(row.id)) add(judgeByNewGate(judgedCall, row, context));
	}
	result.judged += again.length;
	const before = strictestOf(again.map((each) => ({ decision: each.before, rule: each.rule })));
	const after = strictestOf(again.flatMap((each) => (each.after ? [each.after] : [])));
	if (!before || (after?.decision ?? 'pass') === before.decision) return;
	const { call, toolUseId, ran, at } = judgedCall;
	result.changed.push({
		sessionId: context.session.sessionId,
		toolUseId,
		at,
		before: before.decision,
		after: after?.decision ?? 'pass',
		ran,
		rule: after && after.decision !== 'pass' ? after.rule : before.rule,
		title: call ? callTitle(call.tool, call.input) : ([...judgedCall.verdicts.values()][0]?.reason ?? ''),
	});
}

/** Judges recorded facts with other settings; null if they cannot be judged again. */
function judgeAgain(
	event: VerdictEvent,
	isOverridden: boolean,
	{ settings, judge }: RejudgeContext,
): Rejudgement | null {
	const row = rows.get(event.gate);
	if (!row || typeof row.judgedBy === 'string') return null;
	const verdict = judge(row, factsFor(row, event.facts, settings));
	if (!verdict) return null;
	const now = settings.enabled.get(row.setting) === false ? null : verdict;
	// A person had let it run: the same denial does not count again.
	const isReleased = isOverridden && event.decision === 'pass';
	const isSame = isReleased && now?.rule === judge(row, event.facts)?.rule;
	return { before: event.decision, after: now && isSame ? { ...now, decision: 'pass' } : now, rule: event.rule };
}

/** The gates that the tried settings switch on. They also judge calls on which they were not asked. */
const triedGates = ({ enabled, values }: RejudgeSettings): GateRow[] =>
	gateTable.filter((row: GateRow) => {
		const isNamed = ownSettings(row).some((setting) =>
			setting.switchesOn?.(triedValue(setting, values) ?? setting.unset),
		);
		return isRehearsed(row) && (enabled.get(row.setting) ?? isNamed);
	});

/** The gate was off then, so its facts come from the recorded hook itself. */
function judgeByNewGate({ hook }: JudgedCall, row: GateRow, context: RejudgeContext): Rejudgement | 'unknown' | null {
	const facts = hook ? context.session.factsOf(row, hook, context.settings.values) : null;
	if (facts === null || facts === 'unknown') return facts;
	const after = context.judge(row, facts as VerdictEvent['facts']);
	return after ? { before: 'pass', after, rule: after.rule } : 'unknown';
}

/** The recorded facts, with the tried settings in place of those that held then. */
function factsFor(
	row: GateRow,
	facts: VerdictEvent['facts'],
	{ values, removed }: RejudgeSettings,
): VerdictEvent['facts'] {
	const tried = ownSettings(row).flatMap((setting) => {
		const value = triedValue(setting, values);
		return value !== undefined && typeof setting.rehearsal === 'object'
			? [[setting.rehearsal.fact, listAfter(facts[setting.rehearsal.fact], value, removed?.[setting.path])]]
			: [];
	});
	return { ...facts, ...Object.fromEntries(tried) };
}

const listAfter = (was: unknown, value: unknown, removed: readonly unknown[] | undefined) =>
	removed && Array.isArray(was) && Array.isArray(value)
		? [...was.filter((name) => !removed.includes(name)), ...value]
		: value;

const triedValue = (setting: GateSetting, values: RejudgeSettings['values']) =>
	values?.[setting.path] as typeof setting.unset | undefined;

/** Gates are pure, and most commands repeat: the same facts are judged once. */
function cachedJudge(): Judge {
	const known = new Map<string, PlainVerdict | null>();
	return (row, facts) => {
		const key = `${row.id} ${JSON.stringify(facts)}`;
		const before = known.get(key);
		if (before !== undefined) return before;
		const verdict = tryJudge(row, facts);
		if (known.size >= MAX_CACHED) known.clear();
		if (key.length <= MAX_CACHED_CHARS) known.set(key, verdict);
		return verdict;
	};
}

function tryJudge(row: GateRow, facts: VerdictEvent['facts']): PlainVerdict | null {
	if (typeof row.judgedBy === 'string' || blobRefsIn(facts).length > 0) return null;
	try {
		const { decision, rule } = row.judgedBy.judge(facts);
		return { decision, rule };
	} catch {
		return null;
	}
}

/** With fewer reviews allowed, later denials become passes; with more, the reviewer's further answers are unknown. */
function rejudgeReview(
	event: EventOf<'supervisor:verdict'> & { sessionId?: string | undefined; toolUseId?: string | undefined },
	{ maxIterations }: RejudgeSettings,
	result: Rejudged,
): void {
	if (event.by === 'limit' && maxIterations !== undefined && maxIterations >= event.iteration) {
		result.notJudged += 1;
		return;
	}
	result.judged += 1;
	if (event.allow || maxIterations === undefined || event.iteration <= maxIterations) return;
	result.changed.push({
		sessionId: event.sessionId ?? '',
		toolUseId: event.toolUseId ?? '',
		at: event.ts,
		before: 'deny',
		after: 'pass',
		rule: 'supervisor.limit',
		title: event.feedback,
		ran: false,
	});
}

function strictestOf(verdicts: readonly PlainVerdict[]): PlainVerdict | undefined {
	return strictest(verdicts.map((verdict) => ({ gate: '', reason: '', facts: {}, ...verdict })));
}
