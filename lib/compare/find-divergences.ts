import type {
	RunPosition as ComparedPosition,
	ComparedRun,
	Divergence,
	DivergenceKind,
} from '../contract/archives/compare.ts';
import { gateTable } from '../gates/gate-table.ts';
import { gateSentence } from '../gates/gate-title.ts';
import type { Plain } from '../messages/say.ts';
import { inWords, type Sentence, sentence, type Words } from '../messages/sentence.ts';
import { oneLine } from '../text/printable.ts';
import type { NumberedPass, PassPair } from './align-passes.ts';
import type { Mark, RunFacts } from './record-run.ts';

type Side = 'a' | 'b';
const SIDES: readonly Side[] = ['a', 'b'];
const other = (side: Side): Side => (side === 'a' ? 'b' : 'a');

export interface ComparedSide {
	facts: RunFacts;
	passes: readonly NumberedPass[];
	workflow?: string;
	ended: ComparedRun['ended'];
	/** A session of the run continues, so what is still missing is not a difference. */
	isOpen: boolean;
}

/** Adds to a run's facts how its workflow ended and whether it continues. */
export function sideOf(facts: RunFacts, passes: readonly NumberedPass[]): ComparedSide {
	const views = facts.sessions.map(({ view }) => view);
	const workflow = views.findLast((view) => view.workflow !== undefined)?.workflow;
	return {
		facts,
		passes,
		...(workflow && { workflow: workflow.workflowType }),
		ended: workflow?.ended?.how ?? 'open',
		isOpen: views.some((view) => view.ended === undefined && view.lost === undefined && !view.workflow?.ended),
	};
}

/** A position before its time of work is known. */
type RunPosition = Omit<ComparedPosition, 'ms'>;
type Positions = Record<Side, RunPosition | null>;

/** A divergence with the ms since its stage's run began, on the side where it came first; orders those of one run. */
export type Found = Omit<Divergence, Side> & Positions & { after: number };

const positionOf = ({ sessionId }: NumberedPass, row: string, at: number, has: boolean): RunPosition => ({
	sessionId,
	row,
	at: new Date(at).toISOString(),
	has,
});

const beginOf = (pass: NumberedPass | null, has: boolean) => pass && positionOf(pass, pass.row, pass.from, has);
const passEnd = (pass: NumberedPass, has: boolean) =>
	positionOf(pass, pass.endRow ?? pass.row, pass.to ?? pass.from, has);

/** Whether a mark was recorded after the stage's run was over, before the next one began. */
const isAfterEnd = ({ stage, to }: NumberedPass, mark: { at: number } | undefined) =>
	stage !== '' && to !== null && mark !== undefined && mark.at > to;

type Sides = Record<Side, ComparedSide>;

type Two = Record<Side, NumberedPass>;

/** Whether a side has not reached this pair yet. */
type IsBehind = (side: Side) => boolean;

/** All places where two runs differ, for each pair of stages' runs in their order. */
export function findDivergences(two: Sides, pairs: readonly PassPair[]): Found[][] {
	const last = { a: lastIndexOf(pairs, 'a'), b: lastIndexOf(pairs, 'b') };
	const hasStages = pairs.some(({ a, b }) => (a ?? b)?.stage !== '');
	return pairs.map((pair, index) => {
		const { a, b, apart } = pair;
		const isBehind: IsBehind = (side) => two[side].isOpen && index >= last[side];
		const found = [
			...(index === 0 ? compareWorkflows(two, pair) : []),
			...(a && b
				? [...compareOrder(a, apart), ...compareVerdicts(two, a, b), ...compareMarks({ a, b }, isBehind, hasStages)]
				: findUnpaired(two, pairs, index, isBehind)),
			...(index === pairs.length - 1 ? compareEnds(two) : []),
		];
		return found.sort((one, next) => one.after - next.after || rank(one) - rank(next) || compareKeys(one, next));
	});
}

const lastIndexOf = (pairs: readonly PassPair[], side: Side) => pairs.findLastIndex((pair) => pair[side] !== null);

const order: readonly DivergenceKind[] = [
	...(['workflow', 'order', 'stage', 'repeat', 'agent', 'mismatch'] as const),
	...(['call', 'denial', 'stop', 'override', 'review'] as const),
];
const rank = ({ kind }: Found) => (order.includes(kind) ? order.indexOf(kind) : order.length);
const keyOf = ({ kind, a, b }: Found) => `${kind} ${[a?.row ?? '', b?.row ?? ''].sort().join(' ')}`;
const compareKeys = (one: Found, next: Found) => Number(keyOf(one) > keyOf(next)) - Number(keyOf(one) < keyOf(next));

/** A divergence that belongs to the run as a whole. */
const ofRun = { stage: '', nth: 1 } as const;

function compareWorkflows({ a, b }: Sides, pair: PassPair): Found[] {
	if (a.workflow === b.workflow) return [];
	const words = (workflow: string | undefined) =>
		workflow === undefined
			? sentence('no workflow#how')
			: sentence('the workflow {name}#how', { name: name(workflow) });
	const filling = { how: words(a.workflow), instead: words(b.workflow) };
	const explanation = sentence('The first run followed {how}, the second {instead}.', filling);
	const places = { a: beginOf(pair.a, a.workflow !== undefined), b: beginOf(pair.b, b.workflow !== undefined) };
	return [{ kind: 'workflow', ...ofRun, ...inWords({ explanation }), ...places, after: -1 }];
}

function compareOrder({ stage, nth }: NumberedPass, apart: PassPair['apart']): Found[] {
	if (!apart) return [];
	const filling = { pass: passWords(apart.a), next: passWords(apart.b) };
	const explanation = sentence('In the first run {pass} came next, in the second {next}.', filling);
	const places = { a: beginOf(apart.a, true), b: beginOf(apart.b, true) };
	return [{ kind: 'order', stage, nth, ...inWords({ explanation }), ...places, after: -1 }];
}

/** A run of a stage that only one side has; in the other it would have followed what came before. */
function findUnpaired(two: Sides, pairs: readonly PassPair[], index: number, isBehind: IsBehind): Found[] {
	const pair = pairs[index];
	const pass = pair?.a ?? pair?.b;
	const side = pair?.a ? 'a' : 'b';
	const lacking = other(side);
	if (!pass || isBehind(lacking) || (pass.stage === '' && pass.marks.length === 0)) return [];
	const { stage, nth } = pass;
	const had = two[lacking].passes.filter((each) => each.stage === stage).length;
	const before = pairs.slice(0, index).findLast((each) => each[lacking] !== null)?.[lacking];
	const places = { [side]: beginOf(pass, true), [lacking]: before ? passEnd(before, false) : null } as Positions;
	const kind = had === 0 ? 'stage' : 'repeat';
	return [{ kind, stage, nth, ...inWords({ explanation: explainUnpaired(pass, side, had) }), ...places, after: -1 }];
}

function endingOf({ to, result }: NumberedPass, { isOpen }: ComparedSide): string | null {
	if (to === null) return isOpen ? null : 'left';
	return result ?? 'ended';
}

function compareVerdicts(two: Sides, a: NumberedPass, b: NumberedPass): Found[] {
	const results = { a: endingOf(a, two.a), b: endingOf(b, two.b) };
	if (a.stage === '' || results.a === null || results.b === null || results.a === results.b) return [];
	const explanation = explainVerdict(a, { a: results.a, b: results.b });
	const after = Math.min(...[a, b].map(({ from, to }) => (to ?? from) - from));
	const places = { a: passEnd(a, true), b: passEnd(b, true) };
	return [{ kind: 'verdict', stage: a.stage, nth: a.nth, ...inWords({ explanation }), ...places, after }];
}

function compareEnds({ a, b }: Sides): Found[] {
	if (a.isOpen || b.isOpen || a.ended === b.ended) return [];
	const filling = { how: sentence(endWords[a.ended]), instead: sentence(endWords[b.ended]) };
	const explanation = sentence('The first run {how}, the second {instead}.', filling);
	const places = { a: lastPosition(a), b: lastPosition(b) };
	return [{ kind: 'end', ...ofRun, ...inWords({ explanation }), ...places, after: Number.MAX_SAFE_INTEGER }];
}

function lastPosition({ passes, facts }: ComparedSide): RunPosition | null {
	const last = passes.at(-1);
	const at = Math.max(0, ...facts.sessions.flatMap(({ work }) => work.at(-1)?.to ?? 0));
	return last ? positionOf(last, last.endRow ?? last.row, at, true) : null;
}

type MarkKind = Mark['kind'];

/** What is recorded in one run of a stage and not, or not as often, in the other. */
function compareMarks(two: Two, isBehind: IsBehind, hasStages: boolean): Found[] {
	const counted = ['mismatch', 'denial', 'stop', 'override', 'review', 'failure'] as const;
	return [
		...compareAgents(two, isBehind),
		...counted.flatMap((kind) => compareCounts(kind, two, isBehind)),
		...(hasStages ? [] : compareCalls(two, isBehind)),
	];
}

function marksOf({ a, b }: Two, kind: MarkKind): Record<Side, Mark[]> {
	const sorted = ({ marks }: NumberedPass) =>
		marks.filter((mark) => mark.kind === kind).sort((one, next) => one.at - next.at || (one.row < next.row ? -1 : 1));
	return { a: sorted(a), b: sorted(b) };
}

const named = (marks: readonly Mark[], wanted: string) => marks.filter((mark) => mark.name === wanted);

function compareCounts(kind: MarkKind, two: Two, isBehind: IsBehind): Found[] {
	const all = marksOf(two, kind);
	const names = new Set([...all.a, ...all.b].map((mark) => mark.name));
	return [...names].flatMap((each) => {
		const marks = { a: named(all.a, each), b: named(all.b, each) };
		const counts = { a: marks.a.length, b: marks.b.length };
		if (counts.a === counts.b || isBehind(counts.a < counts.b ? 'a' : 'b')) return [];
		const nth = Math.min(counts.a, counts.b);
		return foundMore(kind, two, { a: marks.a[nth], b: marks.b[nth] }, counts);
	});
}

/** An agent that only one side has is paired with one that only the other has. */
function compareAgents(two: Two, isBehind: IsBehind): Found[] {
	const all = marksOf(two, 'agent');
	const only = { a: surplus(all.a, all.b), b: surplus(all.b, all.a) };
	const swapped = Math.min(only.a.length, only.b.length);
	const found = only.a.slice(0, swapped).map((a, index) => {
		const marks = { a, b: only.b[index] };
		const filling = { pass: passWords(two.a), first: name(a.text), second: name(marks.b?.text ?? '') };
		return foundAt(
			'agent',
			two,
			marks,
			sentence('{pass}: {first} was started in the first run, {second} in the second.', filling),
		);
	});
	const side = only.a.length > swapped ? 'a' : 'b';
	if (isBehind(other(side))) return found;
	const rest = only[side].slice(swapped);
	const firsts = rest.filter((mark, index) => rest.findIndex(({ name: known }) => known === mark.name) === index);
	const alone = firsts.flatMap((mark) => {
		const counts = { a: named(all.a, mark.name).length, b: named(all.b, mark.name).length };
		return foundMore('agent', two, { a: undefined, b: undefined, [side]: mark }, counts);
	});
	return [...found, ...alone];
}

/** The marks without a match of the same name in `others`. */
function surplus(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
	const left = new Map<string, number>();
	for (const mark of others) left.set(mark.name, (left.get(mark.name) ?? 0) + 1);
	return marks.filter((mark) => {
		const count = left.get(mark.name) ?? 0;
		left.set(mark.name, count - 1);
		return count <= 0;
	});
}

/** Without stages, the first differing call is the divergence. */
function compareCalls(two: Two, isBehind: IsBehind): Found[] {
	const { a, b } = marksOf(two, 'call');
	const nth = Array.from({ length: Math.max(a.length, b.length) }).findIndex(
		(_, index) => a[index]?.name !== b[index]?.name,
	);
	const marks = { a: a[nth], b: b[nth] };
	if (nth === -1 || SIDES.some((side) => !marks[side] && isBehind(side))) return [];
	return [foundAt('call', two, marks, explainCalls(nth + 1, marks))];
}

type Marks = Record<Side, Mark | undefined>;

/** What one side has more often than the other. */
function foundMore(kind: MarkKind, two: Two, marks: Marks, counts: Record<Side, number>): Found[] {
	const mark = marks.a ?? marks.b;
	return mark ? [foundAt(kind, two, marks, explainMore(marks.a ? two.a : two.b, mark, counts))] : [];
}

function foundAt(kind: DivergenceKind, two: Two, marks: Marks, explanation: Sentence): Found {
	const isAfter = SIDES.some((side) => isAfterEnd(two[side], marks[side]));
	const position = (side: Side) => {
		const [mark, pass] = [marks[side], two[side]];
		if (mark) return positionOf(pass, mark.row, mark.at, true);
		return isAfter ? passEnd(pass, false) : beginOf(pass, false);
	};
	const offsets = SIDES.flatMap((side) => (marks[side] ? [marks[side].at - two[side].from] : []));
	const { stage, nth } = two.a;
	const places = { a: position('a'), b: position('b') };
	return { kind, stage, nth, ...inWords({ explanation }), ...places, after: Math.min(...offsets) };
}

const name = (text: string) => oneLine(text, 80);

/** A run of a stage by name: `TEST`, `TEST (run 2)`, or what comes before the first. */
function passWords({ stage, nth }: Pick<NumberedPass, 'stage' | 'nth'>): Words {
	if (stage === '') return sentence('Before the first stage#pass');
	return nth === 1 ? name(stage) : sentence('{name} (run {nth})#pass', { name: name(stage), nth });
}

function times(count: number): Sentence {
	if (count === 0) return sentence('not at all#times');
	if (count > 2) return sentence('{count} times#times', { count });
	return count === 1 ? sentence('once#times') : sentence('twice#times');
}

function ordinal(count: number): Sentence {
	if (count > 3) return sentence('{count} times#again', { count });
	return count === 3 ? sentence('a third time#again') : sentence('a second time#again');
}

/** How a stage's run ended, the worst last. */
const verdictWords = new Map<string, Extract<Plain, `${string}#how`>>([
	['pass', 'passed#how'],
	['ended', 'ended without a word on how#how'],
	['left', 'was never ended#how'],
	['issues', 'ended with issues#how'],
	['unclear', 'ended without a verdict#how'],
	['reject', 'was rejected#how'],
	['fail', 'failed#how'],
]);
const verdictOrder = [...verdictWords.keys()];

const VERDICT = {
	a: '{pass} {how} in the first run; it {instead} in the second.',
	b: '{pass} {how} in the second run; it {instead} in the first.',
} as const;

/** `REVIEW was rejected in the second run; it passed in the first.` */
function explainVerdict(pass: NumberedPass, results: Record<Side, string>): Sentence {
	const worse = verdictOrder.indexOf(results.a) - verdictOrder.indexOf(results.b);
	const lead = worse > 0 || (worse === 0 && results.a > results.b) ? 'a' : 'b';
	const ending = (side: Side) => {
		const known = verdictWords.get(results[side]);
		return known === undefined ? sentence('ended as “{word}”#how', { word: name(results[side]) }) : sentence(known);
	};
	return sentence(VERDICT[lead], { pass: passWords(pass), how: ending(lead), instead: ending(other(lead)) });
}

const MORE_SESSIONS = {
	a: 'The first run has one more session than the second.',
	b: 'The second run has one more session than the first.',
} as const;
const RAN_ONLY = {
	a: '{pass} ran in the first run only.',
	b: '{pass} ran in the second run only.',
} as const;

/** A run of a stage that only one side has; `had` is how many the other has of that stage. */
function explainUnpaired(pass: NumberedPass, side: Side, had: number): Sentence {
	if (pass.stage === '') return sentence(MORE_SESSIONS[side]);
	const stage = name(pass.stage);
	if (had === 0) return sentence(RAN_ONLY[side], { pass: stage });
	const filling = { pass: stage, again: ordinal(pass.nth), often: times(had), reason: name(pass.why ?? '') };
	const why = pass.why ? ' ({reason})' : '';
	return side === 'a'
		? sentence(`{pass} ran {again} in the first run${why}; in the second it ran {often}.` as const, filling)
		: sentence(`{pass} ran {again} in the second run${why}; in the first it ran {often}.` as const, filling);
}

const ONLY = {
	a: '{pass}: {clause} in the first run only.',
	b: '{pass}: {clause} in the second run only.',
} as const;
const OFTEN = {
	a: '{pass}: {clause} {often} in the first run, {seldom} in the second.',
	b: '{pass}: {clause} {often} in the second run, {seldom} in the first.',
} as const;

/** What one side has more often; `pass` is the run of `mark`. */
function explainMore(pass: NumberedPass, mark: Mark, counts: Record<Side, number>): Sentence {
	const lead = counts.a > counts.b ? 'a' : 'b';
	const [most, least] = [counts[lead], counts[other(lead)]];
	const filling = { pass: passWords(pass), clause: clauseOf(mark), often: times(most), seldom: times(least) };
	const after = isAfterEnd(pass, mark) ? 'After ' : '';
	return sentence(`${after}${least === 0 && most === 1 ? ONLY[lead] : OFTEN[lead]}` as const, filling);
}

/** What the gate of a rule is for; the rule itself, if no gate of this version has it. */
function ruleWords(rule: string): Words {
	const gate = gateTable.find(({ denies }) => Object.hasOwn(denies, rule));
	return gate ? sentence(gateSentence(gate.id) as Plain) : name(rule);
}

function clauseOf({ kind, text, name: rule }: Mark): Words {
	const what = oneLine(text, 120);
	switch (kind) {
		case 'agent':
			return sentence('{what} was started#clause', { what });
		case 'denial':
			return sentence('{what} was denied ({rule})#clause', { what, rule: ruleWords(rule) });
		case 'stop':
			return sentence('a stop was sent back ({rule})#clause', { rule: ruleWords(rule) });
		case 'override':
			return sentence('a person let {what} run (against {rule})#clause', { what, rule: ruleWords(rule) });
		case 'review':
			return sentence('the supervisor sent back ({what})#clause', { what });
		default:
			return what;
	}
}

function explainCalls(nth: number, { a, b }: Marks): Sentence {
	if (a && b) {
		const filling = { nth, first: name(a.text), second: name(b.text) };
		return sentence('Call {nth} was {first} in the first run and {second} in the second.', filling);
	}
	const filling = { nth: nth - 1, call: name((a ?? b)?.text ?? '') };
	const after = nth === 1 ? '' : ' after {nth}';
	return a
		? sentence(`The second run made no call${after}; the first went on with {call}.` as const, filling)
		: sentence(`The first run made no call${after}; the second went on with {call}.` as const, filling);
}

const endWords = { complete: 'was completed#how', abort: 'was aborted#how', open: 'was not ended#how' } as const;
