import type { DivergenceKind, StoryLine } from '../contract/archives/compare.ts';
import type { LedgerEntry } from '../contract/archives/decisions.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView, StageRun } from '../contract/sessions/read-model/session-view.ts';
import { afterwards, featureRole } from '../features/outcome.ts';
import { ledgerOf } from '../ledger/ledger-of.ts';
import { inWords, sentence, wordsOf } from '../messages/sentence.ts';
import { collectBusySpans } from '../replay/collect-busy-spans.ts';
import { find, holdOf, outcomeLooks, outcomeOf } from '../session/call.ts';
import { rowKeyOf } from '../session/fold.ts';
import { isReadLater } from '../session/fold-head.ts';
import { rowLabel } from '../session/row.ts';
import { SessionFold } from '../session/session-fold.ts';
import { oneLine } from '../text/printable.ts';
import type { Span } from '../timeline/time-scale.ts';
import { addUsage, noUsage, totalsOf } from '../usage/usage-totals.ts';
import { stageBase } from '../workflow/registry.ts';

/** Most events read of a run; a comparison says if there are more. */
export const MAX_EVENTS = 1_000_000;
/** Most entries kept of one session, however long it is. */
const LIMITS = { rows: 5000, passes: 300, marks: 60, lines: 24, calls: 2000, entries: 2000, agents: 100 } as const;

/** What is compared of one run: an archived feature with its sessions, or one session. */
export interface RunFacts {
	/** In the order in which they began. */
	sessions: readonly SessionFacts[];
	isCut: boolean;
}

interface SessionFacts {
	sessionId: string;
	view: SessionView;
	passes: readonly PassFacts[];
	/** When it was at work, ascending. */
	work: readonly Span[];
	/** How long its calls waited for a person, in ms. */
	heldMs: number;
	/** Refused stops, which are no denied calls. */
	stops: number;
	/** How often an agent of each name was started. */
	agents: ReadonlyMap<string, number>;
	usage: UsageTotals | null;
	events: number;
	isCut: boolean;
}

/** One run of a stage, from its beginning to that of the next one; before the first stage its name is empty. Times in ms. */
export interface PassFacts {
	sessionId: string;
	stage: string;
	from: number;
	/** Null while it runs. */
	to: number | null;
	result?: string;
	/** The rows that began and ended it. */
	row: string;
	endRow?: string;
	/** The announced group of stages that may run side by side. */
	group?: string;
	/** Why the stage was repeated. */
	why?: string;
	calls: number;
	marks: Mark[];
	lines: StoryLine[];
	more: number;
}

/** Something that may differ between two runs of a stage; matched by `name`. `at` in ms. */
export interface Mark {
	kind: Extract<DivergenceKind, 'agent' | 'mismatch' | 'denial' | 'stop' | 'override' | 'review' | 'failure' | 'call'>;
	name: string;
	/** One line of agent text. */
	text: string;
	row: string;
	at: number;
}

/** Folds a run for comparing: of an archived feature the part of each session that its outcome counts, else all. */
export function recordRun(feature?: string) {
	const sessions: ReturnType<typeof recordPart>[] = [];
	let left = MAX_EVENTS;
	let isCut = false;
	return {
		/** Begins the next session. `add` takes its events by seq, and returns false once no more are compared. */
		session(sessionId: string) {
			const part = recordPart(sessionId, feature);
			sessions.push(part);
			return {
				add(event: IndexedEvent): boolean {
					isCut ||= left <= 0;
					if (isCut) return false;
					left -= 1;
					part.add(event);
					return true;
				},
			};
		},
		facts(): RunFacts {
			const recorded = sessions.map((part) => part.facts()).filter(({ events }) => events > 0);
			const begin = ({ work }: SessionFacts) => work[0]?.from ?? 0;
			recorded.sort((one, other) => begin(one) - begin(other) || (one.sessionId < other.sessionId ? -1 : 1));
			return { sessions: recorded, isCut: isCut || recorded.some((session) => session.isCut) };
		},
	};
}

/** The part of one session from the line that binds it to the feature to the line that archives it. */
function recordPart(sessionId: string, feature: string | undefined) {
	let recorder = recordSession(sessionId);
	let events = 0;
	let usage: UsageTotals | null = null;
	let [from, to] = ['', ''];
	let isBound = false;
	let isClosed = false;

	function bind(ts: string): void {
		const { cwd, project, title } = recorder.view();
		recorder = recordSession(sessionId, { ...(cwd && { cwd }), ...(project && { project }), ...(title && { title }) });
		isBound = true;
		[events, usage, from, to] = [0, null, ts, ts];
	}

	/** An answer is read from the transcript after it came. */
	function addAnswer(event: EventOf<'model:usage'>): void {
		const { at = event.ts } = event;
		if (at >= from && (!isClosed || at <= to)) usage = addUsage(usage ?? noUsage, totalsOf(event));
	}

	return {
		add(event: IndexedEvent): void {
			const { ts } = event;
			const role = feature === undefined ? null : featureRole(event, feature);
			if (role === 'binds' && !isBound) bind(ts);
			if (isKnown(event) && event.type === 'model:usage') addAnswer(event);
			if (isClosed) return;
			if (from === '' || ts < from) from = ts;
			if (ts > to) to = ts;
			events += 1;
			recorder.add(event);
			isClosed = role === 'archives';
		},
		facts: (): SessionFacts => ({ ...recorder.facts(), usage, events }),
	};
}

/** Folds one session in bounded memory; `known` is what was recorded before its events. */
function recordSession(sessionId: string, known: Partial<SessionView> = {}) {
	const session = new SessionFold(sessionId, { mostRows: LIMITS.rows, known });
	const passes = stageRunTracker(sessionId);
	const story = storyCollector(sessionId);
	const busy = collectBusySpans();
	let latest = Number.NEGATIVE_INFINITY;
	const entries = new Map<string, { pass: PassFacts; entry: LedgerEntry }>();
	const holds = new Map<string, number>();
	const agents = new Map<string, number>();

	function addRow({ row, isNew }: { row: Row; isNew: boolean }, pass: PassFacts): void {
		story.add(row, pass);
		const { key, at, call } = row;
		if (!call) return;
		setBounded(holds, key, holdOf(call)?.ms, LIMITS.entries);
		if (!isNew) return;
		pass.calls += 1;
		const text = oneLine(`${call.tool} ${call.title}`);
		// Two runs never make the same calls: within stages they would hide what matters.
		if (pass.stage === '') addMark(pass, { kind: 'call', name: text, text, row: key, at: Date.parse(at) });
	}

	return {
		add(event: IndexedEvent): void {
			const at = Date.parse(event.ts);
			const { view: before } = session;
			const rowKey = rowKeyOf(before, event);
			latest = Math.max(latest, at);
			if (!afterwards.has(event.type) && !isReadLater(event)) busy.add(latest, before);
			const step = session.add(event);
			const isRecorded = isKnown(event) && !event.unverified;
			if (isRecorded) passes.add(event, rowKey, { before: before.stageRuns, after: step.view.stageRuns });
			const pass = passes.passOf(stageOf(step.view, event), at, rowKey);
			for (const row of step.rows) addRow({ row, isNew: row.seq === event.seq }, pass);
			for (const entry of ledgerOf(event, step)) {
				const { pass: first = pass } = entries.get(entry.rowKey) ?? {};
				setBounded(entries, entry.rowKey, { pass: first, entry }, LIMITS.entries);
			}
			const mark = isRecorded ? eventMark(event, rowKey) : null;
			if (!mark) return;
			addMark(pass, mark);
			if (mark.kind === 'agent') setBounded(agents, mark.name, (agents.get(mark.name) ?? 0) + 1, LIMITS.agents);
		},

		facts(): Omit<SessionFacts, 'usage' | 'events'> {
			const copies = new Map(passes.passes.map((pass) => [pass, { ...pass, marks: [...pass.marks] }]));
			const decided = Array.from(entries.values(), ({ pass, entry }) => ({
				pass: copies.get(pass),
				mark: ledgerMark(entry),
			}));
			for (const { pass, mark } of decided) if (pass && mark && !hasMismatch(pass, mark.row)) addMark(pass, mark);
			return {
				sessionId,
				view: session.view,
				agents,
				passes: [...copies.values()],
				work: busy.spans(),
				heldMs: [...holds.values()].reduce((sum, ms) => sum + ms, 0),
				stops: decided.filter(({ mark }) => mark?.kind === 'stop').length,
				isCut: passes.isCut(),
			};
		},
		view: () => session.view,
	};
}

/** A mismatch says more than the denial that followed from it. */
const hasMismatch = ({ marks }: PassFacts, row: string) =>
	marks.some((mark) => mark.kind === 'mismatch' && mark.row === row);

function setBounded<T>(map: Map<string, T>, key: string, value: T | undefined, most: number): void {
	if (value !== undefined && (map.has(key) || map.size < most)) map.set(key, value);
}

function stageOf({ agents }: SessionView, event: IndexedEvent): string | undefined {
	if ('stage' in event && typeof event.stage === 'string') return event.stage;
	return event.agentId === undefined ? undefined : find(agents, 'agentId', event.agentId)?.stage;
}

type Runs = readonly StageRun[];

/** Follows the runs of one session's stages, and finds the run that an event belongs to. */
function stageRunTracker(sessionId: string) {
	const passes: PassFacts[] = [];
	/** How many runs the view has dropped. */
	let dropped = 0;
	let isCut = false;
	let announced: { group: string; stages: readonly string[] } | undefined;
	let groups = 0;
	let why: string | undefined;

	const newPass = (stage: string, from: number, row: string): PassFacts => ({
		sessionId,
		stage,
		from,
		to: null,
		row,
		calls: 0,
		marks: [],
		lines: [],
		more: 0,
	});

	/** What comes before the first stage. */
	function firstPass(from: number, row: string): PassFacts {
		passes[0] ??= newPass('', from, row);
		return passes[0];
	}

	function follow(before: Runs, after: Runs, event: KnownEvent, row: string): void {
		const isNew = after.length > before.length || (after.length > 1 && after[0] === before[1]);
		if (isNew && after.length === before.length) dropped += 1;
		const changed = isNew ? after.length - 1 : after.findIndex((run, index) => run !== before[index]);
		for (const [index, run] of after.entries()) {
			if (index < changed || run === before[index]) continue;
			const position = dropped + index + 1;
			if (isNew) begin(run, row, position);
			const pass = passes[position];
			if (pass) updatePass(pass, run, event, row);
		}
	}

	function begin({ stage, from }: StageRun, row: string, position: number): void {
		isCut ||= position >= LIMITS.passes;
		if (isCut) return;
		const pass = newPass(stage, from, row);
		if (announced && isOneOf(announced.stages, stage)) pass.group = announced.group;
		if (why !== undefined) pass.why = why;
		why = undefined;
		passes.push(pass);
	}

	return {
		/** `row` is the event's row; `before` and `after` are the view's runs around it. */
		add(event: KnownEvent, row: string, { before = [], after }: { before: Runs | undefined; after: Runs | undefined }) {
			firstPass(Date.parse(event.ts), row);
			if (event.type === 'parallel:start') {
				const { group = '', stages = [] } = event;
				groups += 1;
				announced = { group: `${group} ${groups}`, stages };
				for (const pass of passes) if (pass.to === null && isOneOf(stages, pass.stage)) pass.group = announced.group;
			}
			if (event.type === 'parallel:converge') announced = undefined;
			if (event.type === 'stage:retry' && event.retroCount === undefined) why = event.reason ?? '';
			if (after && after !== before) follow(before, after, event, row);
		},

		/** The last run of this stage, else the run that began last. */
		passOf(stage: string | undefined, at: number, row: string): PassFacts {
			const first = firstPass(at, row);
			const own = stage && passes.findLast((pass) => pass.stage === stage || stageBase(pass.stage) === stage);
			return own || (passes.at(-1) ?? first);
		},

		passes: passes as readonly PassFacts[],
		isCut: () => isCut,
	};
}

const isOneOf = (stages: readonly string[], stage: string) =>
	stage !== '' && (stages.includes(stage) || stages.includes(stageBase(stage)));

function updatePass(pass: PassFacts, { stage, to, result }: StageRun, event: KnownEvent, row: string): void {
	pass.stage = stage;
	pass.to = to;
	if (to === null) return;
	pass.endRow = row;
	const outcome = event.type === 'stage:complete' && event.source === 'none' ? 'unclear' : result?.toLowerCase();
	if (outcome !== undefined) pass.result = outcome;
}

/** The comparison shows them as headings. */
const HEADINGS: ReadonlySet<string> = new Set(['stage:start', 'stage:complete']);

/** Keeps the first lines of each stage's run; where there are too many, important ones replace plain ones. */
function storyCollector(sessionId: string) {
	const kept = new Map<string, PassFacts>();
	return {
		/** Adds or updates a row; it stays in the run in which it first appeared. */
		add(row: Row, pass: PassFacts): void {
			if (!row.shown || HEADINGS.has(row.type)) return;
			const home = kept.get(row.key);
			const line = storyLine(sessionId, row);
			if (home) {
				const at = home.lines.findIndex((known) => known.row === row.key);
				if (at !== -1) home.lines[at] = line;
				return;
			}
			if (pass.lines.length >= LIMITS.lines) {
				pass.more += 1;
				const plain = isImportant(line) ? pass.lines.findLastIndex((known) => !isImportant(known)) : -1;
				if (plain === -1) return;
				for (const { row: gone } of pass.lines.splice(plain, 1)) kept.delete(gone);
			}
			pass.lines.push(line);
			kept.set(row.key, pass);
		},
	};
}

const isImportant = ({ tone }: StoryLine) => tone === 'err' || tone === 'warn' || tone === 'wait';

function storyLine(sessionId: string, row: Row): StoryLine {
	const { key, at, call, tone } = row;
	const title = wordsOf(row, 'title');
	const position = { sessionId, row: key, at, tone };
	if (!call) return { ...position, label: rowLabel(row), ...inWords({ text: title }, oneLine) };
	return {
		...position,
		label: call.tool || 'call',
		...inWords({ text: [title, sentence(outcomeLooks[outcomeOf(call)].word)] }),
	};
}

function addMark({ marks }: PassFacts, mark: Mark): void {
	const most = mark.kind === 'call' ? LIMITS.calls : LIMITS.marks;
	if (marks.filter(({ kind }) => kind === mark.kind).length < most) marks.push(mark);
}

function eventMark(event: KnownEvent, row: string): Mark | null {
	const position = { row, at: Date.parse(event.ts) };
	switch (event.type) {
		case 'agent:start':
			return { kind: 'agent', name: event.agent, text: event.agent, ...position };
		case 'agent:delegate':
			// If a call is named, the agent's start is recorded as well; another program's line has nothing else.
			return event.toolUseId ? null : { kind: 'agent', name: event.agent, text: event.agent, ...position };
		case 'routing:mismatch': {
			const expected = oneLine(event.expected.join(', '), 100);
			const text = `${event.actual} was asked for where the plan said ${expected}`;
			return { kind: 'mismatch', name: `${event.actual}, ${expected}`, text, ...position };
		}
		case 'supervisor:verdict':
			return event.allow ? null : { kind: 'review', name: event.hook, text: oneLine(event.feedback), ...position };
		case 'agent:error':
			return {
				kind: 'failure',
				name: event.agent,
				text: oneLine(`${event.agent} failed: ${event.reason}`),
				...position,
			};
		case 'error:fatal':
			return { kind: 'failure', name: event.type, text: oneLine(event.reason), ...position };
		default:
			return null;
	}
}

/** A denial that was final, a refused stop, or an override. */
function ledgerMark(entry: LedgerEntry): Mark | null {
	const { rowKey: row, at, askedAt, tool, title, denials, isDenied, isStop, isOverridden } = entry;
	if (!isDenied && !isOverridden) return null;
	const rules = [...new Set(denials.map(({ rule }) => rule))].sort().join(', ');
	const kind = isOverridden ? 'override' : isStop ? 'stop' : 'denial';
	const text = oneLine(isStop ? title : `${tool} ${title}`);
	return { kind, name: rules || tool, text, row, at: Date.parse(askedAt ?? at) };
}
