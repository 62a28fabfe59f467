import type {
	ComparedRun,
	Comparison,
	Difference,
	DifferenceGroup,
	Divergence,
	StagePair,
	StagePass,
} from '../contract/archives/compare.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import { defined } from '../json/json.ts';
import { countUpTo } from '../replay/chapters.ts';
import { shortPath } from '../text/printable.ts';
import { busySpans } from '../timeline/time-scale.ts';
import { addUsage } from '../usage/usage-totals.ts';
import { passAtK } from '../workflow/pass-at-k.ts';
import { readResult } from '../workflow/read-workflow-state.ts';
import { alignPasses, type NumberedPass, orderPasses } from './align-passes.ts';
import { type ComparedSide, findDivergences, sideOf } from './find-divergences.ts';
import type { RunFacts } from './record-run.ts';

const MAX_DIVERGENCES = 200;

/** What is known about a run beside its events. */
export type RunHead = Pick<ComparedRun, 'kind' | 'id' | 'title' | 'feature' | 'project' | 'archivedAt'>;

export interface Run {
	head: RunHead;
	facts: RunFacts;
}

/** Compares two runs: where they diverged, and by how much. Swapping the two swaps only the sides. */
export function compareRuns(a: Run, b: Run): Comparison {
	const two = { a: sideOf(a.facts, orderPasses(a.facts)), b: sideOf(b.facts, orderPasses(b.facts)) };
	const [clockA, clockB] = [runClock(a.facts), runClock(b.facts)];
	const pairs = alignPasses(two.a.passes, two.b.passes);
	const found = findDivergences(two, pairs);
	const divergences = found
		.flat()
		.slice(0, MAX_DIVERGENCES)
		.map(
			({ after: _after, ...each }): Divergence => ({
				...each,
				a: each.a && { ...each.a, ms: clockA.workedUntil(Date.parse(each.a.at)) },
				b: each.b && { ...each.b, ms: clockB.workedUntil(Date.parse(each.b.at)) },
			}),
		);
	const differences = differenceTable({ ...two.a, clock: clockA }, { ...two.b, clock: clockB });
	const stages = pairs.map((pair, index): StagePair => {
		const { stage = '', nth = 1 } = pair.a ?? pair.b ?? {};
		return {
			stage,
			nth,
			divergences: found[index]?.length ?? 0,
			a: pair.a && passView(pair.a, clockA),
			b: pair.b && passView(pair.b, clockB),
		};
	});
	return {
		isSame: divergences.length === 0 && differences.every(({ size }) => size === 0),
		a: runView(a.head, two.a, clockA),
		b: runView(b.head, two.b, clockB),
		divergence: divergences[0] ?? null,
		divergences,
		differences,
		stages,
	};
}

/** A run's own time, in which only work counts. All in ms. */
interface RunClock {
	from: number | null;
	to: number | null;
	workMs: number;
	idleMs: number;
	workedUntil: (instant: number) => number;
}

function runClock({ sessions }: RunFacts): RunClock {
	const spans = busySpans(
		sessions.flatMap(({ work }) => work),
		0,
	);
	const [from, to] = [spans[0]?.from ?? null, spans.at(-1)?.to ?? null];
	const before: number[] = [];
	let workMs = 0;
	for (const span of spans) {
		before.push(workMs);
		workMs += span.to - span.from;
	}
	return {
		from,
		to,
		workMs,
		idleMs: from === null || to === null ? 0 : to - from - workMs,
		workedUntil(instant) {
			const index = countUpTo(spans, instant, (span) => span.from) - 1;
			const span = spans[index];
			return span ? (before[index] ?? 0) + Math.min(instant, span.to) - span.from : 0;
		},
	};
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function runView(head: RunHead, side: ComparedSide, { from, to, workMs, idleMs }: RunClock): ComparedRun {
	const { facts, workflow, ended, isOpen } = side;
	return {
		...head,
		...(workflow !== undefined && { workflow }),
		sessions: facts.sessions.map(({ sessionId }) => sessionId),
		from: iso(from),
		to: iso(to),
		isOpen,
		ended,
		workMs,
		idleMs,
		events: facts.sessions.reduce((sum, { events }) => sum + events, 0),
		isCut: facts.isCut,
	};
}

function passView(pass: NumberedPass, { to: last, workedUntil }: RunClock): StagePass {
	const { stage, nth, sessionId, row, from, to, result, group, why, calls, lines, more } = pass;
	return {
		stage,
		nth,
		sessionId,
		row,
		calls,
		lines,
		more,
		from: new Date(from).toISOString(),
		fromMs: workedUntil(from),
		toMs: workedUntil(stage === '' ? from : Math.max(from, to ?? last ?? 0)),
		isOpen: stage !== '' && to === null,
		...defined({ result, group, why }),
	};
}

type Session = RunFacts['sessions'][number];
type Unit = Difference['unit'];
type TimedSide = ComparedSide & { clock: RunClock };

/** Names of one kind in the table are agent text, so their number is bounded. */
const MAX_NAMES = 200;

/** Every number of two runs: the totals first, then by stage, agent, tool, rule, model and file, by name. */
function differenceTable(a: TimedSide, b: TimedSide): Difference[] {
	const [ofA, ofB] = [totalsOf(a), totalsOf(b)];
	return [
		...ofA.map(([name, unit, value], index) => difference('run', name, unit, value, ofB[index]?.[2] ?? null)),
		...byName('stages', 'ms', stageTimes(a), stageTimes(b)),
		...groups.flatMap(([group, unit, of]) => byName(group, unit, sumsOf(a, of), sumsOf(b, of))),
	];
}

type Sums = (session: Session) => Iterable<readonly [name: string, value: number]>;

const filesOf: Sums = ({ view }) =>
	(view.work?.files ?? []).map(({ path, added, removed }) => [shortPath(path, view.cwd ?? null), added + removed]);

const groups: readonly [group: DifferenceGroup, unit: Unit, of: Sums][] = [
	['agents', 'count', ({ agents }) => agents],
	['tools', 'count', ({ view }) => (view.work?.tools ?? []).map(({ name, calls }) => [name, calls])],
	['rules', 'count', ({ view }) => Object.entries(view.rules ?? {}).map(([name, { denied }]) => [name, denied])],
	['models', 'usd', ({ view }) => (view.usage?.models ?? []).map(({ name, costUsd }) => [name, costUsd])],
	['files', 'lines', filesOf],
];

type Total = [name: string, unit: Unit, value: number | null];

function totalsOf({ facts, passes, clock: { workMs, idleMs } }: TimedSide): Total[] {
	const { sessions } = facts;
	const staged = passes.filter(({ stage }) => stage !== '');
	const sum = (one: (session: Session) => number) => sessions.reduce((all, session) => all + one(session), 0);
	const counted = (name: keyof Session['view']['counters']) => sum(({ view }) => view.counters[name]);
	const ended = (result: string) => staged.filter((pass) => pass.result === result).length;
	const used = usageOf(sessions);
	const files = sumsOf({ facts }, filesOf);
	const lines = (one: 'added' | 'removed') =>
		sum(({ view }) => (view.work?.files ?? []).reduce((all, file) => all + file[one], 0));
	return [
		['work', 'ms', workMs],
		['idle', 'ms', idleMs],
		['held', 'ms', sum(({ heldMs }) => heldMs)],
		['sessions', 'count', sessions.length],
		['stages', 'count', staged.length],
		['repeats', 'count', staged.filter(({ nth }) => nth > 1).length],
		['retries', 'count', counted('retries')],
		['passAt1', 'share', firstPassRate(staged)],
		['passed', 'count', ended('pass')],
		['failed', 'count', ended('fail')],
		['rejected', 'count', ended('reject')],
		['issues', 'count', ended('issues')],
		['unclear', 'count', ended('unclear')],
		['agents', 'count', sum(({ agents }) => [...agents.values()].reduce((all, starts) => all + starts, 0))],
		['calls', 'count', counted('calls')],
		['errors', 'count', counted('errors')],
		['denials', 'count', counted('denials')],
		['stops', 'count', sum(({ stops }) => stops)],
		['overrides', 'count', counted('overrides')],
		['mismatches', 'count', counted('mismatches')],
		['prompts', 'count', counted('prompts')],
		['inputTokens', 'tokens', used?.inputTokens ?? null],
		['outputTokens', 'tokens', used?.outputTokens ?? null],
		['cacheReadTokens', 'tokens', used?.cacheReadTokens ?? null],
		['cacheWriteTokens', 'tokens', used?.cacheWriteTokens ?? null],
		['cost', 'usd', used && used.unpriced < used.answers ? used.costUsd : null],
		['files', 'count', files.size],
		['added', 'lines', lines('added')],
		['removed', 'lines', lines('removed')],
	];
}

function usageOf(sessions: readonly Session[]): UsageTotals | null {
	const known = sessions.flatMap(({ usage }) => usage ?? []);
	return known.length === 0 ? null : known.reduce(addUsage);
}

function firstPassRate(staged: ComparedSide['passes']): number | null {
	const first = staged.filter(({ nth, to }) => nth === 1 && to !== null);
	return passAtK(Object.fromEntries(first.map(({ result }, index) => [index, [readResult(result)]]))).pass1Rate;
}

/** From begin to end of all runs of a stage in ms, pauses included; an open run counts as 0. */
function stageTimes({ passes }: ComparedSide): Map<string, number> {
	const times = new Map<string, number>();
	for (const { stage, from, to } of passes)
		if (stage !== '') times.set(stage, (times.get(stage) ?? 0) + Math.max(0, (to ?? from) - from));
	return times;
}

function sumsOf({ facts }: Pick<ComparedSide, 'facts'>, of: Sums): Map<string, number> {
	const sums = new Map<string, number>();
	for (const session of facts.sessions)
		for (const [name, value] of of(session)) sums.set(name, (sums.get(name) ?? 0) + value);
	return sums;
}

function byName(
	group: DifferenceGroup,
	unit: Unit,
	a: ReadonlyMap<string, number>,
	b: ReadonlyMap<string, number>,
): Difference[] {
	return [...new Set([...a.keys(), ...b.keys()])]
		.sort()
		.slice(0, MAX_NAMES)
		.map((name) => difference(group, name, unit, a.get(name) ?? 0, b.get(name) ?? 0));
}

function difference(group: DifferenceGroup, name: string, unit: Unit, a: number | null, b: number | null): Difference {
	const most = Math.max(Math.abs(a ?? 0), Math.abs(b ?? 0));
	const size = a === null || b === null ? Number(a !== b) : most === 0 ? 0 : Math.abs(a - b) / most;
	return { group, name, unit, a, b, size: Math.min(1, size) };
}
