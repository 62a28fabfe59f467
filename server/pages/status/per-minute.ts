const SECONDS = 3600;
const MINUTES = 60;

/** Counts events of the last hour and their durations in one slot a second. `ends` are the upper bounds (ms) of the counts. */
export function createPerMinute(now: () => number, ends: readonly number[]) {
	const slots = Array.from({ length: SECONDS }, () => ({ second: -1, counts: ends.map(() => 0) }));
	const current = () => Math.floor(now() / 1000);
	const inLastHour = (last = current()) => slots.filter(({ second }) => second > last - SECONDS);
	const lastHour = (): number[] => {
		const minutes = Array.from({ length: MINUTES }, () => 0);
		const last = current();
		for (const { second, counts } of inLastHour(last)) {
			const at = MINUTES - 1 - Math.floor((last - second) / 60);
			if (minutes[at] !== undefined) minutes[at] += sumOf(counts);
		}
		return minutes;
	};
	return {
		add(counts: readonly number[]): number {
			const second = current();
			const before = slots[second % SECONDS];
			const earlier = before?.second === second ? before.counts : [];
			slots[second % SECONDS] = {
				second,
				counts: ends.map((_, index) => (earlier[index] ?? 0) + (counts[index] ?? 0)),
			};
			return sumOf(counts);
		},
		count: () => lastHour().at(-1) ?? 0,
		lastHour,
		/** Median and 95th percentile of the last hour, in ms; null without any event. */
		times(): { p50: number; p95: number } | null {
			const hour = inLastHour();
			const counts = ends.map((_, index) => sumOf(hour.map((slot) => slot.counts[index] ?? 0)));
			const all = sumOf(counts);
			if (all === 0) return null;
			const within = (share: number) => {
				let done = 0;
				const end = ends.find((_, position) => {
					done += counts[position] ?? 0;
					return done >= share * all;
				});
				return Math.min(end ?? 0, ends.at(-2) ?? 0);
			};
			return { p50: within(0.5), p95: within(0.95) };
		},
	};
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

export type PerMinute = ReturnType<typeof createPerMinute>;
