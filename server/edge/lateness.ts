/** Growths within this are one. */
const TOGETHER_MS = 250;
/** Of one session; what comes beyond is told as late as the last of these. */
const MOST = 100;

interface Growth {
	size: number;
	at: number;
}

/** For how long sessions have had whole lines that the hub does not have yet. `now` is in ms. */
export function createLateness(now: () => number) {
	const waiting = new Map<string, Growth[]>();

	const keep = (id: string, growths: Growth[]) => {
		if (growths.length > 0) waiting.set(id, growths);
		else waiting.delete(id);
	};

	return {
		/** The session's file has so many bytes; where it had more, it is another file. */
		grew(id: string, size: number) {
			const before = waiting.get(id) ?? [];
			const last = before.at(-1);
			if (last?.size === size) return;
			if (!last || size < last.size) return keep(id, [{ size, at: now() }]);
			if (now() - last.at < TOGETHER_MS || before.length >= MOST) last.size = size;
			else before.push({ size, at: now() });
		},
		/** The hub has it up to there. */
		has(id: string, offset: number) {
			keep(id, waiting.get(id)?.filter(({ size }) => size > offset) ?? []);
		},
		/** What lies behind there is no whole line yet, and not late. */
		tornAt(id: string, end: number) {
			for (const growth of waiting.get(id) ?? []) growth.size = Math.min(growth.size, end);
		},
		/** Milliseconds; 0 where the hub has everything. */
		lateMs: (): number =>
			[...waiting.values()].reduce((most, [first]) => Math.max(most, now() - (first?.at ?? now())), 0),
	};
}
