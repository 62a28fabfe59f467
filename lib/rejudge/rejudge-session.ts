import { callKind } from '../agents/recorded-event.ts';
import type { GateDecision } from '../contract/events/catalogue/judgement.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { commandPolicy } from '../gates/command-policy/command-policy-gate.ts';
import { type GateRow, strictest, type Verdict } from '../gates/gate.ts';
import { gateTable } from '../gates/gate-table.ts';
import { callTitle } from '../session/call-title.ts';
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
	call?: EventOf<'tool:call'>;
	isOverridden: boolean;
	ran: boolean;
}

/** A verdict as recorded and as it would be now; null if its facts do not suffice. */
interface Again {
	before: GateDecision;
	after: Spoken | null;
	rule: string;
}

type Spoken = Pick<Verdict, 'decision' | 'rule'>;
/** A gate's verdict on recorded facts; null if they are incomplete or moved to a blob. */
type Judge = (row: GateRow, facts: VerdictEvent['facts']) => Spoken | null;

const rows = new Map<string, GateRow>(gateTable.map((row) => [row.id, row]));
/** How many judgements of one session are cached, for facts up to this length as JSON. */
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 2000;

/**
 * Judges one session's events again, by the gates themselves and the facts that they recorded: every event is added in its
 * order, and then each call is judged in a step of its own.
 */
export function createRejudge(settings: RejudgeSettings) {
	const result: Rejudged = { judged: 0, notJudged: 0, changed: [] };
	const calls = new Map<string, JudgedCall>();
	const source = { sessionId: '', cwd: '' };
	const judge = rememberingJudge();
	return {
		add(event: IndexedEvent): void {
			source.sessionId = event.sessionId ?? source.sessionId;
			if (!isKnown(event) || event.unverified) return;
			if (event.type === 'session:start') source.cwd = event.cwd ?? source.cwd;
			else if (event.type === 'supervisor:verdict') rejudgeReview(event, settings, result);
			else collect(calls, event);
		},
		*judge(): Generator<undefined, Rejudged> {
			for (const each of calls.values()) {
				rejudgeCall(each, source, { settings, judge }, result);
				yield;
			}
			return result;
		},
	};
}

const newCall = (toolUseId: string, at: string): JudgedCall => ({
	toolUseId,
	at,
	verdicts: new Map(),
	isOverridden: false,
	ran: false,
});

/** Adds an event to its call; a verdict without a call is separate. */
function collect(calls: Map<string, JudgedCall>, event: KnownEvent): void {
	const toolUseId = event.toolUseId ?? '';
	const isVerdict = event.type === 'gate:verdict';
	if (toolUseId === '' && !isVerdict) return;
	const key = toolUseId || event.id;
	const one: JudgedCall = calls.get(key) ?? newCall(toolUseId, event.ts);
	if (!calls.has(key)) calls.set(key, one);
	if (isVerdict && !one.verdicts.has(event.gate)) one.verdicts.set(event.gate, event);
	if (event.type === 'tool:call') one.call = event;
	if (event.type === 'tool:result' || event.type === 'tool:error') one.ran = true;
	if (event.type === 'grant:use' || (event.type === 'approval:resolve' && event.decision === 'approve'))
		one.isOverridden = true;
	if (event.type === 'approval:late') one.isOverridden = false;
}

function rejudgeCall(
	judgedCall: JudgedCall,
	{ sessionId, cwd }: { sessionId: string; cwd: string },
	by: { settings: RejudgeSettings; judge: Judge },
	result: Rejudged,
): void {
	const again: Again[] = [];
	for (const event of judgedCall.verdicts.values()) {
		const verdict = judgeAgain(event, judgedCall.isOverridden, by);
		if (verdict) again.push(verdict);
		else result.notJudged += 1;
	}
	if (!judgedCall.verdicts.has(commandPolicy.id)) {
		const unasked = judgeUnasked(judgedCall, cwd, by);
		if (unasked === 'unknown') result.notJudged += 1;
		else if (unasked) again.push(unasked);
	}
	result.judged += again.length;
	const before = strictestOf(again.map((each) => ({ decision: each.before, rule: each.rule })));
	const after = strictestOf(again.flatMap((each) => (each.after ? [each.after] : [])));
	if (!before || (after?.decision ?? 'pass') === before.decision) return;
	const { call, toolUseId, ran, at } = judgedCall;
	result.changed.push({
		sessionId,
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
	{ settings, judge }: { settings: RejudgeSettings; judge: Judge },
): Again | null {
	const row = rows.get(event.gate);
	if (!row || typeof row.judged === 'string') return null;
	const verdict = judge(row, factsFor(row, event.facts, settings));
	if (!verdict) return null;
	const now = settings.enabled.get(row.setting) === false ? null : verdict;
	// A person had let it run: the same denial does not count again.
	const isReleased = isOverridden && event.decision === 'pass';
	const isSame = isReleased && now?.rule === judge(row, event.facts)?.rule;
	return { before: event.decision, after: now && isSame ? { ...now, decision: 'pass' } : now, rule: event.rule };
}

/** Nothing was excluded then, so the gate was not asked: its facts come from the call itself. */
function judgeUnasked(
	{ call }: JudgedCall,
	cwd: string,
	{ settings: { exclude, enabled }, judge }: { settings: RejudgeSettings; judge: Judge },
) {
	if (!exclude?.length || !call || enabled.get(commandPolicy.setting) === false) return null;
	const does = callKind(call);
	if (does !== 'run-command' && does !== 'run-shell') return null;
	const { input } = call;
	const line = typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
	if (typeof line !== 'string') return 'unknown';
	const facts = { project: cwd, cwd, line, exclude, ...(does === 'run-shell' && { shell: true }) };
	const after = judge(commandPolicy, facts);
	return after ? ({ before: 'pass', after, rule: after.rule } satisfies Again) : 'unknown';
}

const factsFor = ({ id }: GateRow, facts: VerdictEvent['facts'], { exclude }: RejudgeSettings) =>
	id === commandPolicy.id && exclude ? { ...facts, exclude } : facts;

/** Gates are pure, and most commands repeat: the same facts are judged once. */
function rememberingJudge(): Judge {
	const known = new Map<string, Spoken | null>();
	return (row, facts) => {
		const key = `${row.id} ${JSON.stringify(facts)}`;
		const before = known.get(key);
		if (before !== undefined) return before;
		const verdict = tryJudge(row, facts);
		if (known.size >= MOST_KNOWN) known.clear();
		if (key.length <= LONGEST_KNOWN) known.set(key, verdict);
		return verdict;
	};
}

function tryJudge(row: GateRow, facts: VerdictEvent['facts']): Spoken | null {
	if (typeof row.judged === 'string' || isCut(facts)) return null;
	try {
		const { decision, rule } = row.judged.judge(facts);
		return { decision, rule };
	} catch {
		return null;
	}
}

const isCut = (facts: VerdictEvent['facts']) =>
	'blob' in facts || Object.values(facts).some((fact) => typeof fact === 'object' && fact !== null && 'blob' in fact);

/** With fewer reviews allowed, later denials would be missing; a reviewer's further answers are unknown. */
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

function strictestOf(verdicts: readonly Spoken[]): Spoken | undefined {
	return strictest(verdicts.map((verdict) => ({ gate: '', reason: '', facts: {}, ...verdict })));
}
