import type { PartAnswer } from '#lib/contract/archives/replay.ts';
import { PART_EVENTS } from '#lib/replay/recording.ts';

/** Parts kept in the page: those around an instant, and some that were left a moment ago. */
const MAX_PARTS = 6;

/** The parts of one recorded session that this page has, the last used last. */
export type LoadedParts = readonly PartAnswer[];

/** Whether what had happened at an instant (ms) is folded from this part. */
export function holds({ startAt, nextAt }: PartAnswer, instant: number): boolean {
	return (startAt === null || startAt <= instant) && (nextAt === null || instant < nextAt);
}

/** With one more part; the one that was used longest ago is let go. */
export function withPart(loaded: LoadedParts, part: PartAnswer): LoadedParts {
	return [...loaded.filter(({ after }) => after !== part.after), part].slice(-MAX_PARTS);
}

/** The seq in the part after this one that should be on its way while this one is played from `seq` on; null while not. */
export function nextWanted({ after, events, nextAt }: PartAnswer, seq: number): number | null {
	const isLate = seq - after >= events.length / 2;
	return nextAt !== null && isLate ? after + PART_EVENTS : null;
}
