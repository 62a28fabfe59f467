import { gapOf } from '../../timeline/tail/line-event.ts';
import { isOurs, refusalOf } from '../database/database.ts';
import type { TimelineRange } from './range-lines.ts';

/** Postgres's refusal, as the store has told it. */
export class Refused extends Error {}

/** Why no other try would change it: the database refuses it, or this program fails on it. Undefined where one would. */
export function whyInVain(error: unknown): string | undefined {
	if (error instanceof Refused) return error.message;
	return refusalOf(error) ?? (isOurs(error) ? error.name : undefined);
}

/** What everybody sees instead of a range that cannot be kept (HUB 3). */
export function refusedGap(sessionId: string, { from, to }: Pick<TimelineRange, 'from' | 'to'>, why: string) {
	return gapOf(sessionId, {
		offset: from,
		bytes: to - from,
		reason: `the hub cannot keep what is in these lines (${why})`,
	});
}
