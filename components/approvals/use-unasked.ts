import type { UnaskedDenial } from '#lib/contract/approvals/approval-record.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useAtMostEvery } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { useGrantChanges } from './grants/use-grants.ts';

/** Minimum interval (ms) between requests, for bursts of denials. */
const EVERY_MS = 1000;

/** Calls denied without asking anyone, newest first. Reloaded when the counts of a session change. */
export function useUnasked(): readonly UnaskedDenial[] {
	const changes = useGrantChanges();
	const sums = useAtMostEvery(
		useLive(({ sessions }) => versionOf(sessions ?? NONE)),
		EVERY_MS,
	);
	const { data } = useRoute('GET /api/denials', {}, { version: `${changes} ${sums}` });
	return data?.denials ?? NO_DENIALS;
}

type Sessions = Record<string, SessionSummary>;

const NONE: Sessions = {};
const NO_DENIALS: readonly UnaskedDenial[] = [];

/** A text that changes with every denial, override, question or end of a session. Memoized: runs at each store change. */
const versionOf = remembered((sessions: Sessions): string => {
	const sums = { denials: 0, overrides: 0, questions: 0, ends: 0 };
	for (const { counts, approvals, endedAt } of Object.values(sessions)) {
		sums.denials += counts.denials;
		sums.overrides += counts.overrides;
		sums.questions += approvals.length;
		if (endedAt !== undefined) sums.ends += 1;
	}
	return Object.values(sums).join(' ');
});

export const UNASKED_ANCHOR = 'unasked';
