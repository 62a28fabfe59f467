const SECONDS = 60;

/** Counts what happened in the last minute, in a bounded space. */
export interface PerMinute {
	add(count?: number): void;
	count(): number;
}

/** `now` in milliseconds. A slot holds one second of the minute, and which one. */
export function createPerMinute(now: () => number): PerMinute {
	const slots = Array.from({ length: SECONDS }, () => ({ second: -1, count: 0 }));
	const current = () => Math.floor(now() / 1000);
	return {
		add(count = 1) {
			const second = current();
			const slot = slots[second % SECONDS];
			if (!slot) return;
			if (slot.second !== second) Object.assign(slot, { second, count: 0 });
			slot.count += count;
		},
		count() {
			const oldest = current() - SECONDS;
			return slots.reduce((sum, { second, count }) => (second > oldest ? sum + count : sum), 0);
		},
	};
}
