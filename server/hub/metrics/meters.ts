/** Counters are judged by what came within so many minutes. */
export const RECENT_MINUTES = 5;
const MINUTE_MS = 60_000;

/** One line of what Prometheus reads: what stands behind the metric's name, the value of its label, and the number. */
export type Sample = readonly [suffix: '' | '_bucket' | '_sum' | '_count', label: string | undefined, value: number];

/** Something that is counted or measured. */
export interface Meter {
	samples(): Sample[];
	/** What an alarm looks at: a gauge's value, what came to a counter lately, the 99th percentile of what lately took how long. */
	judged(label?: string): number | undefined;
}

/** Numbers as they are now, by the value of the label; what is not known has no line and no alarm. */
export function gaugeOf(values: number | Readonly<Record<string, number>> | undefined): Meter {
	if (typeof values === 'number') return { samples: () => [['', undefined, values]], judged: () => values };
	const samples = Object.entries(values ?? {}).map(([label, value]): Sample => ['', label, value]);
	return { samples: () => samples, judged: (label) => values?.[label ?? ''] };
}

/** A number that only rises, by the value of its label, where it has one. */
export interface Counter extends Meter {
	add(count?: number, label?: string): void;
}

/** A counter that begins with a line of each of its labels, so that the first rise of any is seen. `now` is in ms. */
export function createCounter(now: () => number, labels: readonly string[] = ['']): Counter {
	const totals = new Map(labels.map((label) => [label, 0]));
	const recent = createRecent(now);
	return {
		add(count = 1, label = '') {
			totals.set(label, (totals.get(label) ?? 0) + count);
			recent.add(label, count);
		},
		samples: () => [...totals].map(([label, value]): Sample => ['', label === '' ? undefined : label, value]),
		judged: (label) => sum(label === undefined ? [...recent.counts().values()] : [recent.counts().get(label) ?? 0]),
	};
}

/** How long something took (s), in buckets. */
export interface Histogram extends Meter {
	add(seconds: number): void;
}

/** A histogram with these upper bounds (s), ascending. */
export function createHistogram(now: () => number, bounds: readonly number[]): Histogram {
	const ends = [...bounds.map(String), '+Inf'];
	const totals = new Map(ends.map((end) => [end, 0]));
	const recent = createRecent(now);
	let seconds = 0;
	const upTo = (counts: ReadonlyMap<string, number>, end: number) =>
		sum(ends.slice(0, end + 1).map((name) => counts.get(name) ?? 0));
	return {
		add(took) {
			const at = bounds.findIndex((bound) => took <= bound);
			const end = at === -1 ? '+Inf' : String(bounds[at]);
			totals.set(end, (totals.get(end) ?? 0) + 1);
			recent.add(end, 1);
			seconds += took;
		},
		samples: () => [
			...ends.map((end, at): Sample => ['_bucket', end, upTo(totals, at)]),
			['_sum', undefined, seconds],
			['_count', undefined, sum([...totals.values()])],
		],
		judged() {
			const counts = recent.counts();
			const wanted = 0.99 * sum([...counts.values()]);
			if (wanted === 0) return;
			// Of what took longer than the last bound it is not known how much longer.
			return bounds[ends.findIndex((_, at) => upTo(counts, at) >= wanted)] ?? bounds.at(-1);
		},
	};
}

/** Counts of the last minutes, one map a minute. */
function createRecent(now: () => number) {
	const minutes = new Map<number, Map<string, number>>();
	const minuteNow = () => {
		const minute = Math.floor(now() / MINUTE_MS);
		for (const old of minutes.keys()) if (old <= minute - RECENT_MINUTES || old > minute) minutes.delete(old);
		return minute;
	};
	return {
		add(label: string, count: number) {
			const minute = minuteNow();
			const counts = minutes.get(minute) ?? new Map<string, number>();
			counts.set(label, (counts.get(label) ?? 0) + count);
			minutes.set(minute, counts);
		},
		counts(): Map<string, number> {
			minuteNow();
			const all = new Map<string, number>();
			for (const counts of minutes.values())
				for (const [label, count] of counts) all.set(label, (all.get(label) ?? 0) + count);
			return all;
		},
	};
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
