import { useEffect, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { type Lingering, linger, nextLinger } from './linger.ts';
import { useWaiting, type WaitingApproval } from './waiting.ts';

/** A question of a list: one that waits, or the receipt of one that is over. */
export type Question = Lingering<WaitingApproval>;

/** What `useWaiting` gives, with what is over in its place for as long as its receipt stands. */
export function useQuestions(withReviews = false): readonly Question[] {
	return useLingering(useWaiting(withReviews));
}

/** Questions as `linger` shows them. `waiting` stays the same list until something in it changes. */
export function useLingering<Asked extends { approval: ApprovalView }>(
	waiting: readonly Asked[],
	keepMs?: number,
): readonly Lingering<Asked>[] {
	const [known, setKnown] = useState(() => shownAfter([], waiting, keepMs));
	let { shown } = known;
	// In the same drawing: the row of what is over must not be gone in between.
	if (known.waiting !== waiting) {
		const now = shownAfter(shown, waiting, keepMs);
		({ shown } = now);
		setKnown(now);
	}
	useEffect(() => {
		if (known.next === null) return;
		const settle = () => setKnown((before) => shownAfter(before.shown, before.waiting, keepMs));
		const timer = setTimeout(settle, known.next - performance.now());
		return () => clearTimeout(timer);
	}, [known, keepMs]);
	return shown;
}

function shownAfter<Asked extends { approval: ApprovalView }>(
	before: readonly Lingering<Asked>[],
	waiting: readonly Asked[],
	keepMs?: number,
) {
	// A clock that nobody sets.
	const now = performance.now();
	const shown = linger(before, waiting, now, keepMs);
	return { waiting, shown, next: nextLinger(shown, now) };
}
