const SECONDS = 3600;
const MINUTES = 60;

/** Counts what happened in the last hour, in a bounded space. A slot holds one second of the hour, and which one. */
export function createPerMinute(now: () => number) {
	const slots = Array.from({ length: SECONDS }, () => ({ second: -1, count: 0 }));
	const current = () => Math.floor(now() / 1000);
	const lastHour = (): number[] => {
		const minutes = Array.from({ length: MINUTES }, () => 0);
		const second = current();
		for (const slot of slots) {
			const at = MINUTES - 1 - Math.floor((second - slot.second) / 60);
			if (slot.second >= 0 && minutes[at] !== undefined) minutes[at] += slot.count;
		}
		return minutes;
	};
	return {
		add(count = 1): void {
			const second = current();
			const slot = slots[second % SECONDS];
			if (!slot) return;
			if (slot.second !== second) Object.assign(slot, { second, count: 0 });
			slot.count += count;
		},
		count: () => lastHour().at(-1) ?? 0,
		lastHour,
	};
}

export type PerMinute = ReturnType<typeof createPerMinute>;
