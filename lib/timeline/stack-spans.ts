import type { Span } from './time-scale.ts';

/** Puts spans that overlap in time under each other, each at the first free depth from 0; ascending by start. */
export function stackSpans<T extends Span>(spans: readonly T[]): { spans: (T & { depth: number })[]; depth: number } {
	const ends: number[] = [];
	const stacked = [...spans]
		.sort((a, b) => a.from - b.from)
		.map((span) => {
			const free = ends.findIndex((end) => end <= span.from);
			const depth = free === -1 ? ends.length : free;
			ends[depth] = span.to;
			return { ...span, depth };
		});
	return { spans: stacked, depth: Math.max(1, ends.length) };
}
