import type { PassFacts, RunFacts } from './record-run.ts';

/** One run of a stage, numbered among those of the same stage. */
export interface NumberedPass extends PassFacts {
	nth: number;
}

/** The same run of a stage in two runs; one of them may have none. */
export interface PassPair {
	a: NumberedPass | null;
	b: NumberedPass | null;
	/** Where the two continue with different stages: what comes next in each. */
	apart?: { a: NumberedPass; b: NumberedPass };
}

/** All runs of stages in their order; those side by side by name, since their order of begin and end means nothing. */
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

/** Puts two orders side by side, matched by stage and number. Swapping the two swaps only the sides. */
export function alignPasses(a: readonly NumberedPass[], b: readonly NumberedPass[]): PassPair[] {
	const [inA, inB] = [indexByKey(a), indexByKey(b)];
	const [leftA, leftB] = [[...a], [...b]];
	/** Lower for a run of a stage that both have earlier. */
	const rank = (key: string) => (inA.get(key) ?? 0) + (inB.get(key) ?? 0);
	const pairs: PassPair[] = [];
	for (;;) {
		const alone: PassPair[][] = [
			removeUnmatched(leftA, inB).map((pass) => ({ a: pass, b: null })),
			removeUnmatched(leftB, inA).map((pass) => ({ a: null, b: pass })),
		];
		pairs.push(...alone.sort(([one], [other]) => (pairKey(one) < pairKey(other) ? -1 : 1)).flat());
		const [headA, headB] = [leftA[0], leftB[0]];
		if (!headA || !headB) {
			if (leftA.length + leftB.length === 0) return pairs;
			continue;
		}
		// Where the two continue with different stages, the one that both have earlier comes first.
		const [key = ''] = [keyOf(headA), keyOf(headB)].sort(
			(one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
		);
		const pair = { a: remove(leftA, key), b: remove(leftB, key) };
		pairs.push(keyOf(headA) === keyOf(headB) ? pair : { ...pair, apart: { a: headA, b: headB } });
	}
}

const indexByKey = (passes: readonly NumberedPass[]) => new Map(passes.map((pass, index) => [keyOf(pass), index]));
const pairKey = (pair: PassPair | undefined) => (pair?.a ? keyOf(pair.a) : pair?.b ? keyOf(pair.b) : '');

/** Removes the first ones up to one that the other side has, too. */
function removeUnmatched(passes: NumberedPass[], others: ReadonlyMap<string, number>): NumberedPass[] {
	const first = passes.findIndex((pass) => others.has(keyOf(pass)));
	return passes.splice(0, first === -1 ? passes.length : first);
}

function remove(passes: NumberedPass[], key: string): NumberedPass | null {
	const index = passes.findIndex((pass) => keyOf(pass) === key);
	return passes.splice(index, 1)[0] ?? null;
}
