/** Where each item begins (px) and where the list ends: one more than there are items. */
export type ListEdges = Float64Array;

export function edgesOf(count: number, heightOf: (index: number) => number): ListEdges {
	const edges = new Float64Array(count + 1);
	for (let index = 0; index < count; index++) edges[index + 1] = (edges[index] ?? 0) + heightOf(index);
	return edges;
}

/** The height of the whole list. */
export const lastEdge = (edges: ListEdges): number => edges.at(-1) ?? 0;

/** The item at `y` (px), clamped; 0 for an empty list. */
export function itemAt(edges: ListEdges, y: number): number {
	let low = 0;
	let high = Math.max(0, edges.length - 2);
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((edges[middle] ?? 0) <= y) low = middle;
		else high = middle - 1;
	}
	return low;
}

/**
 * The items from `top` to `bottom` (px), without the end. Begins at a multiple of `stride`: a growing list drops several at once.
 */
export function itemsBetween(
	edges: ListEdges,
	{ top, bottom }: { top: number; bottom: number },
	stride: number,
): { from: number; to: number } {
	const first = itemAt(edges, top);
	return { from: first - (first % stride), to: Math.min(edges.length - 1, itemAt(edges, bottom) + 1) };
}

export interface KeyedList {
	edges: ListEdges;
	keyAt: (index: number) => string | number | undefined;
}

/** If an item is gone, one of the next items up to this many replaces it. */
const STAND_INS = 100;

/** How far (px) to scroll so that what was at `top` stays there. */
export function shiftAt(before: KeyedList, now: KeyedList, top: number): number {
	const first = itemAt(before.edges, top);
	if (isSamePosition(before, now, first)) return 0;
	const indexes = new Map<string | number | undefined, number>();
	for (let index = 0; index < now.edges.length - 1; index++) indexes.set(now.keyAt(index), index);
	for (let index = first; index < Math.min(first + STAND_INS, before.edges.length - 1); index++) {
		const position = indexes.get(before.keyAt(index));
		if (position !== undefined) return (now.edges[position] ?? 0) - (before.edges[index] ?? 0);
	}
	return 0;
}

const isSamePosition = (before: KeyedList, now: KeyedList, index: number): boolean =>
	before.keyAt(index) === now.keyAt(index) && before.edges[index] === now.edges[index];
