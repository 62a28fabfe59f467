/** Two live connections of one edge that take each other's place so often within a minute are two machines. */
const TURNS = { count: 3, withinMs: 60_000 };

/** Counts how often connections of an edge took each other's place, as far as this replica has seen it. `now` is in ms. */
export function createTurns(now: () => number) {
	const turns = new Map<number, number[]>();
	const recent = (edge: number) => (turns.get(edge) ?? []).filter((at) => at > now() - TURNS.withinMs);
	return {
		took(edge: number) {
			turns.set(edge, [...recent(edge), now()].slice(-TURNS.count));
		},
		areTooMany: (edge: number): boolean => recent(edge).length >= TURNS.count,
	};
}
