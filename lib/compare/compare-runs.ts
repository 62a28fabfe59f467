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
import { shortPath } from '../text/printable.ts';
import type { Span } from '../timeline/time-scale.ts';
import { addUsage } from '../usage/usage-totals.ts';
import { passAtK } from '../workflow/pass-at-k.ts';
import { readResult } from '../workflow/read-workflow-state.ts';
import { alignPasses, type NumberedPass, orderPasses } from './align-passes.ts';
import { type ComparedSide, type Found, findDivergences, sideOf } from './find-divergences.ts';
import type { RunFacts } from './record-run.ts';

const MOST_DIVERGENCES = 200;

/** What is known of a run beside its events. */
export type RunHead = Pick<ComparedRun, 'kind' | 'id' | 'title' | 'feature' | 'project' | 'archivedAt'>;

/** One run to be compared. */
export interface Run {
	head: RunHead;
	facts: RunFacts;
}

/** Lays two runs side by side: where they went apart, and by how much. Which one is `a` changes nothing but the sides. */
export function compareRuns(a: Run, b: Run): Comparison {
	const two = { a: sideOf(a.facts, orderPasses(a.facts)), b: sideOf(b.facts, orderPasses(b.facts)) };
	const pairs = alignPasses(two.a.passes, two.b.passes);
	const found = findDivergences(two, pairs);
	const [placeA, placeB] = [placeViews(two.a), placeViews(two.b)];
	const divergences = found
		.flat()
		.slice(0, MOST_DIVERGENCES)
		.map(({ after: _after, ...each }): Divergence => ({ ...each, a: placeA(each.a), b: placeB(each.b) }));
	const differences = differenceTable(two.a, two.b);
	const [show, showB] = [passViews(two.a), passViews(two.b)];
	const stages = pairs.map((pair, place): StagePair => {
		const { stage = '', nth = 1 } = pair.a ?? pair.b ?? {};
		return {
			stage,
			nth,
			a: pair.a && show(pair.a),
			b: pair.b && showB(pair.b),
			divergences: found[place]?.length ?? 0,
		};
	});
	return {
		isSame: divergences.length === 0 && differences.every(({ size }) => size === 0),
		a: runView(a.head, two.a),
		b: runView(b.head, two.b),
		divergence: divergences[0] ?? null,
		divergences,
		differences,
		stages,
	};
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function runView(head: RunHead, { facts, workflow, ended, isOpen }: ComparedSide): ComparedRun {
	const { workMs, idleMs, from, to } = runTimes(facts);
	return {
		...head,
		...(workflow !== undefined && { workflow }),
		sessions: facts.sessions.map(({ sessionId }) => sessionId),
		...{ from: iso(from), to: iso(to), isOpen, ended, workMs, idleMs },
		events: facts.sessions.reduce((sum, { events }) => sum + events, 0),
		isCut: facts.isCut,
	};
}

/** Puts places on the run's own clock. */
function placeViews({ facts }: ComparedSide): (place: Found['a']) => Divergence['a'] {
	const worked = workUntil(joinSpans(facts.sessions.flatMap(({ work }) => work)));
	return (place) => place && { ...place, ms: worked(Date.parse(place.at)) };
}

/** Shows runs of stages on the run's own clock, on which only work counts. */
function passViews({ facts }: ComparedSide): (pass: NumberedPass) => StagePass {
	const spans = joinSpans(facts.sessions.flatMap(({ work }) => work));
	const worked = workUntil(spans);
	const last = spans.at(-1)?.to ?? 0;
	return ({ stage, nth, sessionId, row, from, to, result, group, why, calls, lines, more }) => ({
		...{ stage, nth, sessionId, row, calls, lines, more },
		from: new Date(from).toISOString(),
		fromMs: worked(from),
		toMs: worked(stage === '' ? from : Math.max(from, to ?? last)),
		isOpen: stage !== '' && to === null,
		...(result !== undefined && { result }),
		...(group !== undefined && { group }),
		...(why && { why }),
	});
}

type Session = RunFacts['sessions'][number];
type Unit = Difference['unit'];

/** So many names of one kind are in the table; they are agent text. */
const MOST_NAMES = 200;

/** Every number of two runs: the totals first, then by stage, agent, tool, rule, model and file, by name. */
function differenceTable(a: ComparedSide, b: ComparedSide): Difference[] {
	const [ofA, ofB] = [totalsOf(a), totalsOf(b)];
	const totals = ofA.map(([name, unit, value], place) => difference('run', name, unit, value, ofB[place]?.[2] ?? null));
	return [
		...totals,
		...byName('stages', 'ms', stageTimes(a), stageTimes(b)),
		...byName(
			'agents',
			'count',
			sumOf(a, ({ agents }) => agents),
			sumOf(b, ({ agents }) => agents),
		),
		...byName('tools', 'count', sumOf(a, toolsOf), sumOf(b, toolsOf)),
		...byName('rules', 'count', sumOf(a, rulesOf), sumOf(b, rulesOf)),
		...byName('models', 'usd', sumOf(a, modelsOf), sumOf(b, modelsOf)),
		...byName('files', 'lines', sumOf(a, filesOf), sumOf(b, filesOf)),
	];
}

/** How long a run was at work, and how long it rested in between, in ms. */
function runTimes({ sessions }: RunFacts): {
	workMs: number;
	idleMs: number;
	from: number | null;
	to: number | null;
} {
	const spans = joinSpans(sessions.flatMap(({ work }) => work));
	const [from, to] = [spans[0]?.from ?? null, spans.at(-1)?.to ?? null];
	const workMs = workOf(spans);
	return { workMs, idleMs: from === null || to === null ? 0 : to - from - workMs, from, to };
}

type Total = [name: string, unit: Unit, value: number | null];

function totalsOf({ facts, passes }: ComparedSide): Total[] {
	const { sessions } = facts;
	const { workMs, idleMs } = runTimes(facts);
	const staged = passes.filter(({ stage }) => stage !== '');
	const sum = (one: (session: Session) => number) => sessions.reduce((all, session) => all + one(session), 0);
	const counted = (name: keyof Session['view']['counters']) => sum(({ view }) => view.counters[name]);
	const ended = (result: string) => staged.filter((pass) => pass.result === result).length;
	const used = usageOf(sessions);
	const files = sumOf({ facts }, filesOf);
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
	const told = sessions.flatMap(({ usage }) => (usage ? [usage] : []));
	return told.length === 0 ? null : told.reduce(addUsage);
}

function firstPassRate(staged: ComparedSide['passes']): number | null {
	const first = staged.filter(({ nth, to }) => nth === 1 && to !== null);
	return passAtK(Object.fromEntries(first.map(({ result }, place) => [place, [readResult(result)]]))).pass1Rate;
}

/** In ms from beginning to end of all runs of a stage, also where it rested; a run that goes on counts nothing yet. */
function stageTimes({ passes }: ComparedSide): Map<string, number> {
	const times = new Map<string, number>();
	for (const { stage, from, to } of passes)
		if (stage !== '') times.set(stage, (times.get(stage) ?? 0) + Math.max(0, (to ?? from) - from));
	return times;
}

function sumOf({ facts }: Pick<ComparedSide, 'facts'>, of: (session: Session) => Iterable<readonly [string, number]>) {
	const sums = new Map<string, number>();
	for (const session of facts.sessions)
		for (const [name, value] of of(session)) sums.set(name, (sums.get(name) ?? 0) + value);
	return sums;
}

const toolsOf = ({ view }: Session) => (view.work?.tools ?? []).map(({ name, calls }) => [name, calls] as const);
const rulesOf = ({ view }: Session) =>
	Object.entries(view.rules ?? {}).map(([name, { denied }]) => [name, denied] as const);
const modelsOf = ({ view }: Session) => (view.usage?.models ?? []).map(({ name, costUsd }) => [name, costUsd] as const);
const filesOf = ({ view }: Session) =>
	(view.work?.files ?? []).map(
		({ path, added, removed }) => [shortPath(path, view.cwd ?? null), added + removed] as const,
	);

function byName(
	group: DifferenceGroup,
	unit: Unit,
	a: ReadonlyMap<string, number>,
	b: ReadonlyMap<string, number>,
): Difference[] {
	return [...new Set([...a.keys(), ...b.keys()])]
		.sort()
		.slice(0, MOST_NAMES)
		.map((name) => difference(group, name, unit, a.get(name) ?? 0, b.get(name) ?? 0));
}

function difference(group: DifferenceGroup, name: string, unit: Unit, a: number | null, b: number | null): Difference {
	const most = Math.max(Math.abs(a ?? 0), Math.abs(b ?? 0));
	const size = a === null || b === null ? Number(a !== b) : most === 0 ? 0 : Math.abs(a - b) / most;
	return { group, name, unit, a, b, size: Math.min(1, size) };
}

/** Stretches of several sessions as one line of time: ascending, what overlaps joined. */
function joinSpans(spans: readonly Span[]): Span[] {
	const joined: Span[] = [];
	for (const { from, to } of spans.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
		const last = joined.at(-1);
		if (last && from <= last.to) last.to = Math.max(last.to, to);
		else joined.push({ from, to });
	}
	return joined;
}

/** Time of work in ms. */
const workOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** How much work was done up to each instant (ms), by spans that ascend without overlaps. */
function workUntil(spans: readonly Span[]): (instant: number) => number {
	const before: number[] = [];
	let sum = 0;
	for (const { from, to } of spans) {
		before.push(sum);
		sum += to - from;
	}
	return (instant) => {
		let [low, high] = [0, spans.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((spans[middle]?.from ?? 0) <= instant) low = middle + 1;
			else high = middle;
		}
		const span = spans[low - 1];
		return span ? (before[low - 1] ?? 0) + Math.min(instant, span.to) - span.from : 0;
	};
}
