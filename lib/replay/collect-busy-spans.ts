import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { isCallOpen } from '../session/call.ts';
import { IDLE_MS, type Span } from '../timeline/time-scale.ts';

/** No axis is as wide in pixels, so more spans could not be seen apart. */
const MAX_SPANS = 1_000;

/**
 * Collects when a session was busy: from the start of a call to its end, and around events that follow each other
 * closely. `add` takes the instant (ms, never descending) of the next event and the view before it.
 */
export function collectBusySpans() {
	let spans: Span[] = [];
	return {
		add(at: number, { calls }: SessionView): void {
			const last = spans.at(-1);
			if (last && (at - last.to < IDLE_MS || calls.some(isCallOpen))) last.to = at;
			else spans.push({ from: at, to: at });
			if (spans.length >= 2 * MAX_SPANS) spans = withoutShortGaps(spans, MAX_SPANS);
		},
		/** Ascending, without overlaps, bounded. */
		spans: (): Span[] => (spans.length > MAX_SPANS ? withoutShortGaps(spans, MAX_SPANS) : spans),
	};
}

/** At most `most` stretches: those with the least time between them are joined. */
function withoutShortGaps(spans: readonly Span[], most: number): Span[] {
	const gapBefore = (at: number) => (spans[at]?.from ?? 0) - (spans[at - 1]?.to ?? 0);
	const places = spans.map((_, index) => index).slice(1);
	const kept = new Set(places.sort((a, b) => gapBefore(b) - gapBefore(a)).slice(0, most - 1));
	const joined: Span[] = [];
	for (const [position, { from, to }] of spans.entries()) {
		const last = joined.at(-1);
		if (last && !kept.has(position)) last.to = to;
		else joined.push({ from, to });
	}
	return joined;
}
