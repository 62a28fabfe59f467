import type { DivergenceKind } from '../contract/archives/compare.ts';
import type { NumberedPass } from './align-passes.ts';
import { beginOf, endOf, type Found, isAfterEnd, placeOf, type Side } from './compared-side.ts';
import { explainAgents, explainCalls, explainMark } from './explain-divergence.ts';
import type { Mark } from './pass-facts.ts';

type Marks = Record<Side, Mark | undefined>;

/** How far the two have come. */
export interface Way {
	/** A side has come no further yet. */
	isAhead: (side: Side) => boolean;
	hasStages: boolean;
}

/** What is told of one run of a stage and not, or not as often, of the other. */
export function compareMarks(a: NumberedPass, b: NumberedPass, { isAhead, hasStages }: Way): Found[] {
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
