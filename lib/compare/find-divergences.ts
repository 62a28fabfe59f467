import type {
	RunPosition as ComparedPosition,
	ComparedRun,
	Divergence,
	DivergenceKind,
} from '../contract/archives/compare.ts';
import type { Plain } from '../messages/say.ts';
import { type MessageKey, tell } from '../messages/tell.ts';
import { oneLine } from '../session/call-title.ts';
import type { NumberedPass, PassPair } from './align-passes.ts';
import type { Mark, RunFacts } from './record-run.ts';

/** Which of the two runs. */
export type Side = 'a' | 'b';

/** One of the two runs with all that is compared of it. */
export interface ComparedSide {
	facts: RunFacts;
	passes: readonly NumberedPass[];
	workflow?: string;
	ended: ComparedRun['ended'];
	/** A session of it goes on: what it has not come to yet is no difference. */
	isOpen: boolean;
}

/** Prepares a run's facts for being laid beside another's. */
export function sideOf(facts: RunFacts, passes: readonly NumberedPass[]): ComparedSide {
	const views = facts.sessions.map(({ view }) => view);
	const workflow = views.findLast((view) => view.workflow !== undefined)?.workflow;
	return {
		...{ facts, passes },
		...(workflow && { workflow: workflow.workflowType }),
		ended: workflow?.ended?.how ?? 'open',
		isOpen: views.some((view) => view.ended === undefined && view.lost === undefined && !view.workflow?.ended),
	};
}

/** A place whose time of work is not worked out yet. */
export type RunPosition = Omit<ComparedPosition, 'ms'>;

/** Where something stands in a run. `at` in ms since the epoch. */
export function placeOf(sessionId: string, { row, at, has }: { row: string; at: number; has: boolean }): RunPosition {
	return { sessionId, row, at: new Date(at).toISOString(), has };
}

/** Where a stage's run came to its end, as far as it did. */
export function endOf({ sessionId, row, endRow, from, to }: NumberedPass, has: boolean): RunPosition {
	return placeOf(sessionId, { row: endRow ?? row, at: to ?? from, has });
}

/** Whether something was told once the stage's run was over, before the next one began. */
export function isAfterEnd({ stage, to }: NumberedPass, mark: { at: number } | undefined): boolean {
	return stage !== '' && to !== null && mark !== undefined && mark.at > to;
}

/** Where a stage's run begins; of a run that has none, nowhere. */
export function beginOf(pass: NumberedPass | null, has: boolean): RunPosition | null {
	return pass && placeOf(pass.sessionId, { row: pass.row, at: pass.from, has });
}

/** A divergence with its instant within its stage's run, by which those of one run are put in order. */
export interface Found extends Omit<Divergence, 'a' | 'b'> {
	a: RunPosition | null;
	b: RunPosition | null;
	/** Ms from the beginning of the stage's run, in the side where it came first. */
	after: number;
}

type Sides = Record<Side, ComparedSide>;

/** All places where two runs went apart, in their order: those of each pair of stages' runs. */
export function findDivergences(two: Sides, pairs: readonly PassPair[]): Found[][] {
	const lastOf = (side: Side) => pairs.findLastIndex((pair) => pair[side] !== null);
	const last = { a: lastOf('a'), b: lastOf('b') };
	const hasStages = pairs.some(({ a, b }) => (a ?? b)?.stage !== '');
	return pairs.map((pair, index) => {
		const isAhead = (side: Side) => two[side].isOpen && index >= last[side];
		const found = [
			...(index === 0 ? workflowApart(two, pair) : []),
			...(pair.a && pair.b ? bothApart(two, pair, { isAhead, hasStages }) : aloneApart(two, pairs, index, isAhead)),
			...(index === pairs.length - 1 ? endApart(two) : []),
		];
		return found.sort((one, other) => one.after - other.after || rank(one) - rank(other) || compareText(one, other));
	});
}

const order = [
	'workflow',
	'order',
	'stage',
	'repeat',
	'agent',
	'mismatch',
	'call',
	'denial',
	'stop',
	'override',
	'review',
];
const rank = ({ kind }: Found) => (order.includes(kind) ? order.indexOf(kind) : order.length);
const keyOf = ({ kind, a, b }: Found) => `${kind} ${[a?.row ?? '', b?.row ?? ''].sort().join(' ')}`;
const compareText = (one: Found, other: Found) => Number(keyOf(one) > keyOf(other)) - Number(keyOf(one) < keyOf(other));

function workflowApart({ a, b }: Sides, pair: PassPair): Found[] {
	if (a.workflow === b.workflow) return [];
	const explanation = explainWorkflow({ a: a.workflow, b: b.workflow });
	const places = { a: beginOf(pair.a, a.workflow !== undefined), b: beginOf(pair.b, b.workflow !== undefined) };
	return [{ kind: 'workflow', stage: '', nth: 1, explanation, ...places, after: -1 }];
}

function bothApart(two: Sides, { a, b, apart }: PassPair, way: Way): Found[] {
	if (!a || !b) return [];
	const found = [...verdictApart(two, a, b), ...compareMarks(a, b, way)];
	if (!apart) return found;
	const { stage, nth } = a;
	const places = { a: beginOf(apart.a, true), b: beginOf(apart.b, true) };
	return [{ kind: 'order', stage, nth, explanation: explainOrder(apart.a, apart.b), ...places, after: -1 }, ...found];
}

/** A run of a stage that only one side has; in the other it would have come after what was there before. */
function aloneApart(two: Sides, pairs: readonly PassPair[], index: number, isAhead: (side: Side) => boolean): Found[] {
	const pair = pairs[index];
	const pass = pair?.a ?? pair?.b;
	const side = pair?.a ? 'a' : 'b';
	const lacks = side === 'a' ? 'b' : 'a';
	if (!pass || isAhead(lacks) || (pass.stage === '' && pass.marks.length === 0)) return [];
	const { stage, nth } = pass;
	const had = two[lacks].passes.filter((other) => other.stage === stage).length;
	const before = pairs.slice(0, index).findLast((other) => other[lacks] !== null)?.[lacks];
	const places = { [side]: beginOf(pass, true), [lacks]: before ? endOf(before, false) : null } as Places;
	const kind = had === 0 ? 'stage' : 'repeat';
	return [{ kind, stage, nth, explanation: explainAlone(pass, side, had), ...places, after: -1 }];
}

type Places = Pick<Found, 'a' | 'b'>;

/** How a run of a stage stands; null while it goes on. */
function standingOf({ to, result }: NumberedPass, { isOpen }: ComparedSide): string | null {
	if (to === null) return isOpen ? null : 'left';
	return result ?? 'ended';
}

function verdictApart(two: Sides, a: NumberedPass, b: NumberedPass): Found[] {
	if (a.stage === '') return [];
	const results = { a: standingOf(a, two.a), b: standingOf(b, two.b) };
	if (results.a === null || results.b === null || results.a === results.b) return [];
	const told = { a: results.a, b: results.b };
	const at = (pass: NumberedPass) => pass.to ?? pass.from;
	const after = Math.min(at(a) - a.from, at(b) - b.from);
	return [
		{
			...{ kind: 'verdict', stage: a.stage, nth: a.nth, explanation: explainVerdict(a, told), after },
			a: endOf(a, true),
			b: endOf(b, true),
		},
	];
}

function endApart(two: Sides): Found[] {
	const { a, b } = two;
	if (a.isOpen || b.isOpen || a.ended === b.ended) return [];
	const places = { a: lastOf(a), b: lastOf(b) };
	const explanation = explainEnd({ a: a.ended, b: b.ended });
	return [{ kind: 'end', stage: '', nth: 1, explanation, ...places, after: Number.MAX_SAFE_INTEGER }];
}

/** Where a run was worked on last. */
function lastOf({ passes, facts }: ComparedSide): RunPosition | null {
	const last = passes.at(-1);
	const at = Math.max(0, ...facts.sessions.flatMap(({ work }) => work.at(-1)?.to ?? 0));
	return last ? placeOf(last.sessionId, { row: last.endRow ?? last.row, at, has: true }) : null;
}

type Marks = Record<Side, Mark | undefined>;

/** How far the two have come. */
interface Way {
	/** A side has come no further yet. */
	isAhead: (side: Side) => boolean;
	hasStages: boolean;
}

/** What is told of one run of a stage and not, or not as often, of the other. */
function compareMarks(a: NumberedPass, b: NumberedPass, { isAhead, hasStages }: Way): Found[] {
	const kinds = ['mismatch', 'denial', 'stop', 'override', 'review', 'failure'] as const;
	return [
		...agentsApart(a, b, isAhead),
		...kinds.flatMap((kind) => countsApart(kind, { a, b }, isAhead)),
		...(hasStages ? [] : callsApart(a, b, isAhead)),
	];
}

type Two = Record<Side, NumberedPass>;

const marksOf = ({ marks }: NumberedPass, kind: Mark['kind']) =>
	marks.filter((mark) => mark.kind === kind).sort((one, other) => one.at - other.at || (one.row < other.row ? -1 : 1));

function byName(marks: readonly Mark[]): Map<string, Mark[]> {
	const named = new Map<string, Mark[]>();
	for (const mark of marks) named.set(mark.name, [...(named.get(mark.name) ?? []), mark]);
	return named;
}

function countsApart(kind: Mark['kind'], two: Two, isAhead: (side: Side) => boolean): Found[] {
	const named = { a: byName(marksOf(two.a, kind)), b: byName(marksOf(two.b, kind)) };
	return [...new Set([...named.a.keys(), ...named.b.keys()])].flatMap((name) => {
		const marks = { a: named.a.get(name) ?? [], b: named.b.get(name) ?? [] };
		const counts = { a: marks.a.length, b: marks.b.length };
		if (counts.a === counts.b || isAhead(counts.a < counts.b ? 'a' : 'b')) return [];
		const nth = Math.min(counts.a, counts.b);
		const extra = { a: marks.a[nth], b: marks.b[nth] };
		const mark = extra.a ?? extra.b;
		return mark ? [foundAt(kind, two, extra, explainMark(extra.a ? two.a : two.b, mark, counts))] : [];
	});
}

/** An agent that only one side has stands for one that only the other has. */
function agentsApart(a: NumberedPass, b: NumberedPass, isAhead: (side: Side) => boolean): Found[] {
	const [inA, inB] = [marksOf(a, 'agent'), marksOf(b, 'agent')];
	const only = { a: surplus(inA, inB), b: surplus(inB, inA) };
	const swapped = Math.min(only.a.length, only.b.length);
	const found = only.a.slice(0, swapped).map((one, index) => {
		const marks = { a: one, b: only.b[index] };
		return foundAt('agent', { a, b }, marks, explainAgents(a, { a: one.text, b: marks.b?.text ?? '' }));
	});
	const [side, rest] = only.a.length > swapped ? (['a', only.a] as const) : (['b', only.b] as const);
	if (isAhead(side === 'a' ? 'b' : 'a')) return found;
	const alone = byName(rest.slice(swapped));
	const count = (marks: readonly Mark[], name: string) => marks.filter((mark) => mark.name === name).length;
	return [
		...found,
		...[...alone].flatMap(([name, [mark]]) => {
			const counts = { a: count(inA, name), b: count(inB, name) };
			const marks = side === 'a' ? { a: mark, b: undefined } : { a: undefined, b: mark };
			return mark ? [foundAt('agent', { a, b }, marks, explainMark(side === 'a' ? a : b, mark, counts))] : [];
		}),
	];
}

/** Those of `marks` that `others` has no match for, by name. */
function surplus(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
	const left = new Map([...byName(others)].map(([name, list]) => [name, list.length]));
	return marks.filter(({ name }) => {
		const count = left.get(name) ?? 0;
		left.set(name, count - 1);
		return count <= 0;
	});
}

/** Where there are no stages, the calls themselves say where two runs went apart: once. */
function callsApart(a: NumberedPass, b: NumberedPass, isAhead: (side: Side) => boolean): Found[] {
	const [inA, inB] = [marksOf(a, 'call'), marksOf(b, 'call')];
	const most = Math.max(inA.length, inB.length);
	for (let nth = 0; nth < most; nth++) {
		const marks = { a: inA[nth], b: inB[nth] };
		if (marks.a?.name === marks.b?.name) continue;
		if ((!marks.a && isAhead('a')) || (!marks.b && isAhead('b'))) return [];
		return [foundAt('call', { a, b }, marks, explainCalls(nth + 1, marks))];
	}
	return [];
}

function foundAt(kind: DivergenceKind, two: Two, marks: Marks, explanation: string): Found {
	const isAfter = (['a', 'b'] as const).some((side) => isAfterEnd(two[side], marks[side]));
	const place = (side: Side) => {
		const [mark, pass] = [marks[side], two[side]];
		if (mark) return placeOf(pass.sessionId, { row: mark.row, at: mark.at, has: true });
		return isAfter ? endOf(pass, false) : beginOf(pass, false);
	};
	const offsets = (['a', 'b'] as const).flatMap((side) => {
		const mark = marks[side];
		return mark ? [mark.at - two[side].from] : [];
	});
	const { stage, nth } = two.a;
	return { kind, stage, nth, explanation, a: place('a'), b: place('b'), after: Math.min(...offsets) };
}

const other = (side: Side): Side => (side === 'a' ? 'b' : 'a');
const name = (text: string) => oneLine(text, 80);

/** A run of a stage by name: `TEST`, `TEST (run 2)`, or what comes before the first. */
function passWords({ stage, nth }: Pick<NumberedPass, 'stage' | 'nth'>): string {
	if (stage === '') return tell('Before the first stage#pass');
	return nth === 1 ? name(stage) : tell('{name} (run {nth})#pass', { name: name(stage), nth });
}

function times(count: number): string {
	if (count === 0) return tell('not at all#times');
	if (count > 2) return tell('{count} times#times', { count });
	return count === 1 ? tell('once#times') : tell('twice#times');
}

function ordinal(count: number): string {
	if (count > 3) return tell('{count} times#again', { count });
	return count === 3 ? tell('a third time#again') : tell('a second time#again');
}

type EndWord = Extract<Plain, MessageKey & `${string}#how`>;

/** How a stage's run stands, the worst last. */
const verdicts = [...['pass', 'ended', 'left', 'issues', 'unclear', 'reject', 'fail']] as const;
const verdictWords = new Map<string, EndWord>([
	['pass', 'passed#how'],
	['ended', 'ended without a word on how#how'],
	['left', 'was never ended#how'],
	['issues', 'ended with issues#how'],
	['unclear', 'ended without a verdict#how'],
	['reject', 'was rejected#how'],
	['fail', 'failed#how'],
]);

/** `REVIEW was rejected in the second run; it passed in the first.` */
function explainVerdict(pass: NumberedPass, results: Record<Side, string>): string {
	const rank = (side: Side) => (verdicts as readonly string[]).indexOf(results[side]);
	const lead = rank('a') > rank('b') || (rank('a') === rank('b') && results.a > results.b) ? 'a' : 'b';
	const ending = (side: Side) => {
		const known = verdictWords.get(results[side]);
		return known === undefined ? tell('ended as “{word}”#how', { word: name(results[side]) }) : tell(known);
	};
	const filling = { pass: passWords(pass), how: ending(lead), instead: ending(other(lead)) };
	return lead === 'a'
		? tell('{pass} {how} in the first run; it {instead} in the second.', filling)
		: tell('{pass} {how} in the second run; it {instead} in the first.', filling);
}

/** A run of a stage that only one side has; `had` is how many the other one has of that stage. */
function explainAlone(pass: NumberedPass, side: Side, had: number): string {
	const isFirst = side === 'a';
	if (pass.stage === '') {
		return isFirst
			? tell('The first run has one more session than the second.')
			: tell('The second run has one more session than the first.');
	}
	const stage = name(pass.stage);
	if (had === 0) {
		return isFirst
			? tell('{pass} ran in the first run only.', { pass: stage })
			: tell('{pass} ran in the second run only.', { pass: stage });
	}
	const filling = { pass: stage, again: ordinal(pass.nth), often: times(had), reason: name(pass.why ?? '') };
	const why = pass.why ? ' ({reason})' : '';
	return isFirst
		? tell(`{pass} ran {again} in the first run${why}; in the second it ran {often}.` as const, filling)
		: tell(`{pass} ran {again} in the second run${why}; in the first it ran {often}.` as const, filling);
}

/** What came next in each of the two. */
function explainOrder(a: NumberedPass, b: NumberedPass): string {
	return tell('In the first run {pass} came next, in the second {next}.', { pass: passWords(a), next: passWords(b) });
}

/** Another agent in the place of one. */
function explainAgents(pass: NumberedPass, agents: Record<Side, string>): string {
	const filling = { pass: passWords(pass), first: name(agents.a), second: name(agents.b) };
	return tell('{pass}: {first} was started in the first run, {second} in the second.', filling);
}

/** What is told more often on one side; `pass` is that of `mark`. */
function explainMark(pass: NumberedPass, mark: Mark, counts: Record<Side, number>): string {
	const lead = counts.a > counts.b ? 'a' : 'b';
	const [most, least] = [counts[lead], counts[other(lead)]];
	const filling = { pass: passWords(pass), clause: clauseOf(mark), often: times(most), seldom: times(least) };
	const after = isAfterEnd(pass, mark) ? 'After ' : '';
	return tell(`${after}${least === 0 && most === 1 ? ONLY[lead] : OFTEN[lead]}` as const, filling);
}

const ONLY = {
	a: '{pass}: {clause} in the first run only.',
	b: '{pass}: {clause} in the second run only.',
} as const;
const OFTEN = {
	a: '{pass}: {clause} {often} in the first run, {seldom} in the second.',
	b: '{pass}: {clause} {often} in the second run, {seldom} in the first.',
} as const;

function clauseOf({ kind, text, name: rule }: Mark): string {
	const what = oneLine(text, 120);
	switch (kind) {
		case 'agent':
			return tell('{what} was started#clause', { what });
		case 'denial':
			return tell('{what} was denied ({rule})#clause', { what, rule: name(rule) });
		case 'stop':
			return tell('a stop was refused ({rule})#clause', { rule: name(rule) });
		case 'override':
			return tell('a person let {what} run (against {rule})#clause', { what, rule: name(rule) });
		case 'review':
			return tell('the supervisor blocked ({what})#clause', { what });
		case 'mismatch':
		case 'failure':
		case 'call':
			return what;
	}
}

/** The first call that is another one; undefined where a run made no further one. */
function explainCalls(nth: number, calls: { a: Mark | undefined; b: Mark | undefined }): string {
	const { a, b } = calls;
	if (a && b) {
		const filling = { nth, first: name(a.text), second: name(b.text) };
		return tell('Call {nth} was {first} in the first run and {second} in the second.', filling);
	}
	const filling = { nth: nth - 1, call: name((a ?? b)?.text ?? '') };
	const after = nth === 1 ? '' : ' after {nth}';
	return a
		? tell(`The second run made no call${after}; the first went on with {call}.` as const, filling)
		: tell(`The first run made no call${after}; the second went on with {call}.` as const, filling);
}

/** What kinds of workflow they are. */
function explainWorkflow(workflows: Record<Side, string | undefined>): string {
	const kind = (side: Side) =>
		workflows[side] === undefined
			? tell('no workflow#how')
			: tell('the workflow {name}#how', { name: name(workflows[side]) });
	return tell('The first run followed {how}, the second {instead}.', { how: kind('a'), instead: kind('b') });
}

const endWords = { complete: 'was completed#how', abort: 'was aborted#how', open: 'was not ended#how' } as const;

/** How the two ended. */
function explainEnd(ended: Record<Side, keyof typeof endWords>): string {
	const [how, instead] = [tell(endWords[ended.a]), tell(endWords[ended.b])];
	return tell('The first run {how}, the second {instead}.', { how, instead });
}
