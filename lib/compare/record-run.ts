import type { DivergenceKind, StoryLine } from '../contract/archives/compare.ts';
import type { LedgerEntry } from '../contract/archives/decisions.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView, StageRun } from '../contract/sessions/read-model/session-view.ts';
import { afterwards, featureRole } from '../features/outcome.ts';
import { ledgerOf } from '../ledger/ledger-of.ts';
import { tell } from '../messages/tell.ts';
import { collectBusy } from '../replay/open-time.ts';
import { holdOf, outcomeLooks, outcomeOf } from '../session/call.ts';
import { oneLine } from '../session/call-title.ts';
import { fold } from '../session/fold.ts';
import { isToldLater } from '../session/fold-head.ts';
import { rowKeyOf, rowLabel } from '../session/row.ts';
import { emptyView, find } from '../session/view.ts';
import type { Span } from '../timeline/time-scale.ts';
import { addUsage, noUsage, totalsOf } from '../usage/usage-totals.ts';
import { stageBase } from '../workflow/stage-keys.ts';

/** What is compared of one run: an archived feature with its sessions, or one session. */
export interface RunFacts {
	/** The first begun first. */
	sessions: readonly (SessionFacts & { usage: UsageTotals | null; events: number })[];
	isCut: boolean;
}

/** So many events of a run are read; what comes after them is not compared, and the comparison says so. */
export const MOST_EVENTS = 1_000_000;

/**
 * Folds a run for comparing. Of an archived feature counts, as in its outcome, what lies between the line that binds a
 * session to it (else the session's start) and the line that archives it; of a plain session all counts.
 */
export function recordRun(feature?: string) {
	const sessions: ReturnType<typeof recordPart>[] = [];
	let left = MOST_EVENTS;
	let isCut = false;
	return {
		/** Takes up one session; `add` gets its events by seq, and gives false once no more are compared. */
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
			const told = sessions.map((part) => part.facts()).filter(({ events }) => events > 0);
			const ordered = told.sort(
				(one, other) => startOf(one) - startOf(other) || (one.sessionId < other.sessionId ? -1 : 1),
			);
			return { sessions: ordered, isCut: isCut || told.some((session) => session.isCut) };
		},
	};
}

const startOf = ({ work }: SessionFacts): number => work[0]?.from ?? 0;

/** That part of one session that counts. */
function recordPart(sessionId: string, feature: string | undefined) {
	let recorder = recordSession(sessionId);
	let events = 0;
	let usage: UsageTotals | null = null;
	let [from, to] = ['', ''];
	let isBound = false;
	let isClosed = false;

	function bind(ts: string): void {
		const { cwd, project, title } = recorder.view();
		const known = { ...(cwd && { cwd }), ...(project && { project }), ...(title && { title }) };
		recorder = recordSession(sessionId, known);
		isBound = true;
		[events, usage, from, to] = [0, null, ts, ts];
	}

	/** An answer is read later than it came: what counts is when that was. */
	function addAnswer(event: EventOf<'model:usage'>): void {
		const { at = event.ts } = event;
		if (at >= from && (!isClosed || at <= to)) usage = addUsage(usage ?? noUsage, totalsOf(event));
	}

	return {
		add(event: IndexedEvent): void {
			const role = feature === undefined ? null : featureRole(event, feature);
			if (role === 'binds' && !isBound) bind(event.ts);
			if (isKnown(event) && event.type === 'model:usage') addAnswer(event);
			if (isClosed) return;
			if (from === '' || event.ts < from) from = event.ts;
			if (event.ts > to) to = event.ts;
			events += 1;
			recorder.add(event);
			isClosed = role === 'archives';
		},
		facts: (): RunFacts['sessions'][number] => ({ ...recorder.facts(), usage, events }),
	};
}

/** Of rows that the view no longer holds so many are kept: a word on a call that comes later makes a call of its own. */
const KEPT_ROWS = 5000;
/** Of decisions and holds the first so many; of agents so many names. */
const KEPT = { entries: 2000, agents: 100 } as const;

/** What is compared of one session: the fold's sums, and what happened in each run of its stages. */
export interface SessionFacts {
	sessionId: string;
	/** What the fold came to. */
	view: SessionView;
	passes: readonly PassFacts[];
	/** When it was at work, ascending. */
	work: readonly Span[];
	/** For how long its calls waited for a person, in ms. */
	heldMs: number;
	/** Stops that were refused, which count as no denied call. */
	stops: number;
	/** How often an agent of each name was started. */
	agents: ReadonlyMap<string, number>;
	isCut: boolean;
}

/** Folds one session for comparing; memory is bounded however many events come. `known`: what was told before them. */
export function recordSession(sessionId: string, known: Pick<SessionView, 'cwd' | 'project' | 'title'> = {}) {
	let view: SessionView = { ...emptyView(sessionId), ...known };
	const rows = new Map<string, Row>();
	const passes = stageRunTracker(sessionId);
	const story = storyCollector(sessionId);
	const busy = collectBusy();
	let latest = Number.NEGATIVE_INFINITY;
	const entries = new Map<string, { pass: PassFacts; entry: LedgerEntry }>();
	const holds = new Map<string, number>();
	const agents = new Map<string, number>();

	/** Tells whether the row is new. */
	function remember(row: Row): boolean {
		const isNew = !rows.delete(row.key);
		rows.set(row.key, row);
		const [oldest] = rows.size > KEPT_ROWS ? rows.keys() : [];
		if (oldest !== undefined) rows.delete(oldest);
		return isNew;
	}

	function addRow(row: Row, pass: PassFacts): void {
		const isNew = remember(row);
		story.put(row, pass);
		const { key, at, call } = row;
		if (!call) return;
		putFirst(holds, key, holdOf(call)?.ms);
		if (!isNew) return;
		pass.calls += 1;
		const text = oneLine(`${call.tool} ${call.title}`);
		// Stages, agents and verdicts say more than calls, of which no two runs have the same.
		if (pass.stage === '') addMark(pass, { kind: 'call', name: text, text, row: key, at: Date.parse(at) });
	}

	function addEvent(event: IndexedEvent, row: string, pass: PassFacts): void {
		const mark = eventMark(event, row);
		if (!mark) return;
		addMark(pass, mark);
		const { kind, name } = mark;
		if (kind === 'agent' && (agents.has(name) || agents.size < KEPT.agents))
			agents.set(name, (agents.get(name) ?? 0) + 1);
	}

	return {
		add(event: IndexedEvent): void {
			const at = Date.parse(event.ts);
			const row = rowKeyOf(view, event);
			latest = Math.max(latest, at);
			if (!afterwards.has(event.type) && !isToldLater(event)) busy.add(latest, view);
			const before = view.stageRuns;
			const step = fold(view, event, (key) => rows.get(key));
			view = step.view;
			const isRecorded = isKnown(event) && !event.unverified;
			if (isRecorded) passes.add(event, row, { before, after: view.stageRuns });
			const pass = passes.passOf(stageOf(view, event), at, row);
			for (const changed of step.rows) addRow(changed, pass);
			for (const entry of ledgerOf(event, step))
				putFirst(entries, entry.rowKey, { pass: entries.get(entry.rowKey)?.pass ?? pass, entry });
			if (isRecorded) addEvent(event, row, pass);
		},

		facts(): SessionFacts {
			const copies = new Map(passes.passes().map((pass) => [pass, { ...pass, marks: [...pass.marks] }]));
			const decided = [...entries.values()].map(({ pass, entry }) => ({
				pass: copies.get(pass),
				mark: ledgerMark(entry),
			}));
			for (const { pass, mark } of decided) if (pass && mark && !isToldOf(pass, mark.row)) addMark(pass, mark);
			return {
				...{ sessionId, view, agents },
				passes: [...copies.values()],
				work: busy.spans(),
				heldMs: [...holds.values()].reduce((sum, ms) => sum + ms, 0),
				stops: decided.filter(({ mark }) => mark?.kind === 'stop').length,
				isCut: passes.isCut(),
			};
		},
		view: (): SessionView => view,
	};
}

/** The mismatch says more than the denial that followed from it. */
const isToldOf = ({ marks }: PassFacts, row: string) =>
	marks.some((mark) => mark.kind === 'mismatch' && mark.row === row);

function putFirst<T>(map: Map<string, T>, key: string, value: T | undefined): void {
	if (value !== undefined && (map.has(key) || map.size < KEPT.entries)) map.set(key, value);
}

function stageOf({ agents }: SessionView, event: IndexedEvent): string | undefined {
	if ('stage' in event && typeof event.stage === 'string') return event.stage;
	return event.agentId === undefined ? undefined : find(agents, 'agentId', event.agentId)?.stage;
}

type Runs = readonly StageRun[];
const NONE: Runs = [];

/** An event and its row of the story. */
interface RowEvent {
	event: KnownEvent;
	row: string;
}

/** Follows the runs of one session's stages, and tells in which of them an event stands. */
function stageRunTracker(sessionId: string) {
	const passes: PassFacts[] = [];
	/** How many runs the view no longer has. */
	let dropped = 0;
	let isCut = false;
	let announced: { group: string; stages: readonly string[] } | undefined;
	let groups = 0;
	let why: string | undefined;

	function open(from: number, row: string): PassFacts {
		const first = passes[0] ?? beginPass({ sessionId, stage: '', from, to: null, row });
		passes[0] = first;
		return first;
	}

	/** The view's runs before and after an event that has changed them. */
	function follow(before: Runs, after: Runs, { event, row }: RowEvent): void {
		const isNew = after.length > before.length || (after.length > 1 && after[0] === before[1]);
		if (isNew && after.length === before.length) dropped += 1;
		const changed = isNew ? after.length - 1 : after.findIndex((run, index) => run !== before[index]);
		for (const [index, run] of after.entries()) {
			if (index < changed || run === before[index]) continue;
			const place = dropped + index + 1;
			if (isNew) begin(run, row, place);
			const pass = passes[place];
			if (pass) close(pass, run, { event, row });
		}
	}

	function announce({ group = '', stages = [] }: EventOf<'parallel:start'>): void {
		groups += 1;
		announced = { group: `${group} ${groups}`, stages };
		for (const pass of passes) if (pass.to === null && isOneOf(stages, pass.stage)) pass.group = announced.group;
	}

	function begin({ stage, from }: StageRun, row: string, place: number): void {
		isCut ||= place >= MOST.passes;
		if (isCut) return;
		const pass = beginPass({ sessionId, stage, from, to: null, row });
		if (announced && isOneOf(announced.stages, stage)) pass.group = announced.group;
		if (why !== undefined) pass.why = why;
		why = undefined;
		passes.push(pass);
	}

	return {
		/** `row` is the event's place in the story. */
		add(event: KnownEvent, row: string, runs: { before: Runs | undefined; after: Runs | undefined }): void {
			open(Date.parse(event.ts), row);
			if (event.type === 'parallel:start') announce(event);
			if (event.type === 'parallel:converge') announced = undefined;
			if (event.type === 'stage:retry' && event.retroCount === undefined) why = event.reason ?? '';
			if (runs.after && runs.after !== runs.before) follow(runs.before ?? NONE, runs.after, { event, row });
		},

		/** The run in which something stands: that of its stage, else the one that began last. */
		passOf(stage: string | undefined, at: number, row: string): PassFacts {
			const first = open(at, row);
			const own = stage && passes.findLast((pass) => pass.stage === stage || stageBase(pass.stage) === stage);
			return own || (passes.at(-1) ?? first);
		},

		passes: (): readonly PassFacts[] => passes,
		isCut: () => isCut,
	};
}

const isOneOf = (stages: readonly string[], stage: string) =>
	stage !== '' && (stages.includes(stage) || stages.includes(stageBase(stage)));

function close(pass: PassFacts, { stage, to, result }: StageRun, { event, row }: RowEvent): void {
	pass.stage = stage;
	pass.to = to;
	if (to !== null) pass.endRow = row;
	const told = event.type === 'stage:complete' && event.source === 'none' ? 'unclear' : result?.toLowerCase();
	if (told !== undefined && to !== null) pass.result = told;
}

/** They are the headings under which the others stand. */
const HEADINGS: ReadonlySet<string> = new Set(['stage:start', 'stage:complete']);

/** Keeps the lines of each stage's run: the first ones, and in their place those that matter where there are too many. */
function storyCollector(sessionId: string) {
	const kept = new Map<string, PassFacts>();
	return {
		/** A row as it stands now; it stays in the run in which it first stood. */
		put(row: Row, pass: PassFacts): void {
			if (!row.shown || HEADINGS.has(row.type)) return;
			const home = kept.get(row.key);
			const line = lineOf(sessionId, row);
			if (home) {
				const at = home.lines.findIndex((known) => known.row === row.key);
				if (at !== -1) home.lines[at] = line;
				return;
			}
			if (pass.lines.length >= MOST.lines) {
				pass.more += 1;
				const plain = matters(line) ? pass.lines.findLastIndex((known) => !matters(known)) : -1;
				if (plain === -1) return;
				for (const { row: gone } of pass.lines.splice(plain, 1)) kept.delete(gone);
			}
			pass.lines.push(line);
			kept.set(row.key, pass);
		},
	};
}

type Line = PassFacts['lines'][number];

const matters = ({ tone }: Line) => tone === 'err' || tone === 'warn' || tone === 'wait';

function lineOf(sessionId: string, row: Row): Line {
	const { key, at, title, call, tone } = row;
	const place = { sessionId, row: key, at, tone };
	if (!call) return { ...place, label: rowLabel(row), text: title };
	return { ...place, label: call.tool || 'call', text: `${title} · ${tell(outcomeLooks[outcomeOf(call)].word)}` };
}

/** Puts a mark to a run of a stage, unless it has so many of that kind already. */
function addMark({ marks }: Pick<PassFacts, 'marks'>, mark: Mark): void {
	const most = mark.kind === 'call' ? MOST.calls : MOST.marks;
	if (marks.filter(({ kind }) => kind === mark.kind).length < most) marks.push(mark);
}

/** What an event marks, which belongs to `row` of the story. */
function eventMark(event: IndexedEvent, row: string): Mark | null {
	if (!isKnown(event)) return null;
	const at = Date.parse(event.ts);
	switch (event.type) {
		case 'agent:start':
			return { kind: 'agent', name: event.agent, text: event.agent, row, at };
		case 'agent:delegate':
			// Ours belongs to a call; of a foreign line it is all that tells of the agent.
			return event.toolUseId ? null : { kind: 'agent', name: event.agent, text: event.agent, row, at };
		case 'routing:mismatch': {
			const { actual } = event;
			const expected = oneLine(event.expected.join(', '), 100);
			const text = `${actual} was asked for where the plan said ${expected}`;
			return { kind: 'mismatch', name: `${actual}, ${expected}`, text, row, at };
		}
		case 'supervisor:verdict':
			return event.allow ? null : { kind: 'review', name: event.hook, text: oneLine(event.feedback), row, at };
		case 'agent:error':
			return { kind: 'failure', name: event.agent, text: oneLine(`${event.agent} failed: ${event.reason}`), row, at };
		case 'error:fatal':
			return { kind: 'failure', name: 'error:fatal', text: oneLine(event.reason), row, at };
		default:
			return null;
	}
}

/** What a line of the ledger marks: a denial that held, a stop that was refused, or what a person let run all the same. */
function ledgerMark(entry: LedgerEntry): Mark | null {
	const { rowKey: row, at, askedAt, tool, title, denials, isDenied, isStop, isOverridden } = entry;
	if (!isDenied && !isOverridden) return null;
	const rules = [...new Set(denials.map(({ rule }) => rule))].sort().join(', ');
	const kind = isOverridden ? 'override' : isStop ? 'stop' : 'denial';
	const text = oneLine(isStop ? title : `${tool} ${title}`);
	return { kind, name: rules || tool, text, row, at: Date.parse(askedAt ?? at) };
}

/** Something in a stage's run that can be otherwise in another run's; `name` is what the two are matched by. */
export interface Mark {
	kind: Extract<DivergenceKind, 'agent' | 'mismatch' | 'denial' | 'stop' | 'override' | 'review' | 'failure' | 'call'>;
	name: string;
	/** For a person, one line of agent text. */
	text: string;
	row: string;
	/** Ms since the epoch. */
	at: number;
}

/** One run of a stage, from its beginning to that of the next one; before the first stage its name is empty. */
export interface PassFacts {
	sessionId: string;
	stage: string;
	/** Ms since the epoch; `to` is null while it runs. */
	from: number;
	to: number | null;
	result?: string;
	/** The row that began it, and the one that ended it. */
	row: string;
	endRow?: string;
	/** One announced group of stages that may run side by side. */
	group?: string;
	/** Why a stage was to be done again, said before this run. */
	why?: string;
	calls: number;
	marks: Mark[];
	lines: StoryLine[];
	/** Lines that were left out. */
	more: number;
}

/** How much is kept of a run, however long it is. */
export const MOST = { passes: 300, marks: 60, lines: 24, calls: 2000 } as const;

/** A run of a stage that begins now. */
export function beginPass(begin: Pick<PassFacts, 'sessionId' | 'stage' | 'from' | 'to' | 'row'>): PassFacts {
	return { ...begin, calls: 0, marks: [], lines: [], more: 0 };
}
