import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { deadlineOf } from './waiting.ts';

/** So long (ms) a question that is over keeps its place as a receipt, and nothing else moves. */
export const RECEIPT_MS = 5000;

/** A question of a list, and since when (ms of one clock) it is over. */
export type Lingering<Asked> = Asked & { overSince?: number };

/**
 * A list of questions as it is to be shown at `now` (ms): those that are over stay where they were for `keepMs`. While
 * one of them has been over for less than RECEIPT_MS, the others keep their order and new ones stand at the end;
 * otherwise the most urgent stand first, and whatever is over below what waits.
 */
export function linger<Asked extends { approval: ApprovalView }>(
	shown: readonly Lingering<Asked>[],
	waiting: readonly Asked[],
	now: number,
	keepMs = RECEIPT_MS,
): readonly Lingering<Asked>[] {
	const open = new Map(waiting.map((each) => [each.approval.approvalId, each]));
	const kept = shown.flatMap((each): Lingering<Asked>[] => {
		const known = open.get(each.approval.approvalId);
		if (known) return [known];
		const { overSince = now } = each;
		return now - overSince < keepMs ? [{ ...each, overSince }] : [];
	});
	const places = new Set(kept.map(({ approval }) => approval.approvalId));
	const all: Lingering<Asked>[] = [...kept, ...waiting.filter(({ approval }) => !places.has(approval.approvalId))];
	if (nextLinger(all, now) !== null) return all;
	return all.sort(
		(one, other) =>
			Number(one.overSince !== undefined) - Number(other.overSince !== undefined) ||
			byNumber(deadlineOf(one.approval), deadlineOf(other.approval)),
	);
}

const byNumber = (one: number, other: number) => (one < other ? -1 : Number(one > other));

/** Whether a question waits, or its receipt is still to be read at `now` (ms): it keeps its place. */
export function keepsPosition({ overSince }: { overSince?: number | undefined }, now: number): boolean {
	return overSince === undefined || now - overSince < RECEIPT_MS;
}

/** When (ms) after `now` a receipt is over, and the list changes by itself; null where none stands. */
export function nextLinger(shown: readonly Lingering<{ approval: ApprovalView }>[], now: number): number | null {
	const ends = shown.flatMap(({ overSince }) => (overSince === undefined ? [] : overSince + RECEIPT_MS));
	const next = ends.filter((end) => end > now);
	return next.length === 0 ? null : Math.min(...next);
}
