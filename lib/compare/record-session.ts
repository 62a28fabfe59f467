import type { LedgerEntry } from '../contract/archives/decisions.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { ledgerOf } from '../ledger/ledger-of.ts';
import { collectBusy } from '../replay/open-time.ts';
import { oneLine } from '../session/call-title.ts';
import { fold } from '../session/fold.ts';
import { isToldLater } from '../session/fold-head.ts';
import { holdOf } from '../session/hold.ts';
import { find } from '../session/roster.ts';
import type { Row } from '../session/row.ts';
import { rowKeyOf } from '../session/row-of.ts';
import { emptyView, type IndexedEvent, type SessionView } from '../session/view.ts';
import type { Span } from '../timeline/time-scale.ts';
import { addMark, eventMark, ledgerMark } from './marks-of.ts';
import type { PassFacts } from './pass-facts.ts';
import { stageRunTracker } from './stage-run-tracker.ts';
import { storyCollector } from './story-collector.ts';

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

/** What may come long after the last work. */
const afterwards: ReadonlySet<string> = new Set(['specs:archive', 'session:end', 'session:lost', 'session:notice']);

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
