import type { PassFacts, RunFacts } from './record-run.ts';

/** One run of a stage, numbered among those of the same stage. */
export interface NumberedPass extends PassFacts {
	nth: number;
}

/** The same run of a stage in two runs; one of them may have none. */
export interface PassPair {
	a: NumberedPass | null;
	b: NumberedPass | null;
	/** The two came to different stages here: what each came to instead. */
	apart?: { a: NumberedPass; b: NumberedPass };
}

/**
 * The runs of all stages of a run in their order. Those that ran beside each other stand by name: which of them was
 * begun or ended first says nothing.
 */
export function orderPasses({ sessions }: RunFacts): NumberedPass[] {
	const all = sessions
		.flatMap(({ passes }) => passes)
		.sort((one, other) => one.from - other.from || byName(one, other));
	const counts = new Map<string, number>();
	const ordered = clustersOf(all).flatMap((cluster) => cluster.toSorted(byName));
	return ordered.map((pass) => {
		const nth = (counts.get(pass.stage) ?? 0) + 1;
		counts.set(pass.stage, nth);
		return { ...pass, nth };
	});
}

const byName = (one: PassFacts, other: PassFacts) =>
	one.stage === other.stage ? one.from - other.from : one.stage < other.stage ? -1 : 1;

function clustersOf(passes: readonly PassFacts[]): PassFacts[][] {
	const clusters: PassFacts[][] = [];
	let until = Number.NEGATIVE_INFINITY;
	for (const pass of passes) {
		const cluster = clusters.at(-1);
		const isBeside = pass.from < until || (pass.group !== undefined && pass.group === cluster?.at(-1)?.group);
		if (cluster && isBeside) cluster.push(pass);
		else clusters.push([pass]);
		until = Math.max(isBeside ? until : Number.NEGATIVE_INFINITY, pass.to ?? pass.from);
	}
	return clusters;
}

const keyOf = ({ stage, nth }: NumberedPass) => `${nth} ${stage}`;

/** Lays two orders side by side, matched by stage and number. Which of the two is `a` makes no difference. */
export function alignPasses(a: readonly NumberedPass[], b: readonly NumberedPass[]): PassPair[] {
	const [inA, inB] = [placesOf(a), placesOf(b)];
	const [leftA, leftB] = [[...a], [...b]];
	const pairs: PassPair[] = [];
	for (;;) {
		const alone: PassPair[][] = [
			takeAlone(leftA, inB).map((pass) => ({ a: pass, b: null })),
			takeAlone(leftB, inA).map((pass) => ({ a: null, b: pass })),
		];
		pairs.push(...alone.sort(([one], [other]) => (nameOf(one) < nameOf(other) ? -1 : 1)).flat());
		const [headA, headB] = [leftA[0], leftB[0]];
		if (headA && headB)
			pairs.push(
				takePair(leftA, leftB, { a: headA, b: headB, rank: (key) => (inA.get(key) ?? 0) + (inB.get(key) ?? 0) }),
			);
		else if (leftA.length + leftB.length === 0) return pairs;
	}
}

const placesOf = (passes: readonly NumberedPass[]) => new Map(passes.map((pass, place) => [keyOf(pass), place]));
const nameOf = (pair: PassPair | undefined) => (pair?.a ? keyOf(pair.a) : pair?.b ? keyOf(pair.b) : '');

/** The first of these, as long as the other side has none like it. */
function takeAlone(passes: NumberedPass[], others: ReadonlyMap<string, number>): NumberedPass[] {
	const first = passes.findIndex((pass) => others.has(keyOf(pass)));
	return passes.splice(0, first === -1 ? passes.length : first);
}

interface Heads {
	a: NumberedPass;
	b: NumberedPass;
	/** The earlier a run of a stage comes in both together, the lower. */
	rank: (key: string) => number;
}

/** What comes next in both; where each would go on with another stage, that of the two that both have earlier. */
function takePair(leftA: NumberedPass[], leftB: NumberedPass[], { a, b, rank }: Heads): PassPair {
	const [keyA, keyB] = [keyOf(a), keyOf(b)];
	const isFirst = rank(keyA) < rank(keyB) || (rank(keyA) === rank(keyB) && keyA < keyB);
	const key = isFirst ? keyA : keyB;
	const pair = { a: take(leftA, key), b: take(leftB, key) };
	return keyA === keyB ? pair : { ...pair, apart: { a, b } };
}

function take(passes: NumberedPass[], key: string): NumberedPass | null {
	return (
		passes.splice(
			passes.findIndex((pass) => keyOf(pass) === key),
			1,
		)[0] ?? null
	);
}
