import type { Difference, DifferenceGroup } from '../contract/archives/compare.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import { shortPath } from '../text/short-path.ts';
import { addUsage } from '../usage/usage-totals.ts';
import { passAtK } from '../workflow/pass-at-k.ts';
import { readResult } from '../workflow/read-workflow-state.ts';
import type { ComparedSide } from './compared-side.ts';
import type { RunFacts } from './record-run.ts';
import { joinSpans, workOf } from './work-time.ts';

type Session = RunFacts['sessions'][number];
type Unit = Difference['unit'];

/** So many names of one kind are in the table; they are agent text. */
const MOST_NAMES = 200;

/** Every number of two runs: the totals first, then by stage, agent, tool, rule, model and file, by name. */
export function differenceTable(a: ComparedSide, b: ComparedSide): Difference[] {
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
export function runTimes({ sessions }: RunFacts): {
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
