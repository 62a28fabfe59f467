import type { NumberedPass, PassPair } from './align-passes.ts';
import { compareMarks, type Way } from './compare-marks.ts';
import {
	beginOf,
	type ComparedSide,
	endOf,
	type Found,
	placeOf,
	type RunPosition,
	type Side,
} from './compared-side.ts';
import { explainAlone, explainEnd, explainOrder, explainVerdict, explainWorkflow } from './explain-divergence.ts';

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
