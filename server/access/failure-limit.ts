import { AppError } from '#lib/contract/errors.ts';

/** What was presented and was wrong. Each kind has its own count, so that one cannot block another. */
export type FailureKind = 'token' | 'cookie' | 'link' | 'header';

const WINDOW_MS = 60_000;
const FAILURES_PER_WINDOW = 10;

/**
 * Slows guessing: from the 11th failure of a kind within a minute on, a failure is told "too many" instead of why.
 * Right credentials always pass, so that nobody can lock the operator out by failing on purpose; guessing 256 bits
 * is out of reach anyway.
 */
export function createFailureLimit(now: () => number) {
	const recent: Record<FailureKind, number[]> = { token: [], cookie: [], link: [], header: [] };
	return {
		/** Counts a failure. Throws `auth/too-many` when the minute has had its share. */
		count(kind: FailureKind): void {
			const since = now() - WINDOW_MS;
			recent[kind] = recent[kind].filter((at) => at > since);
			if (recent[kind].length >= FAILURES_PER_WINDOW) throw new AppError('auth/too-many');
			recent[kind].push(now());
		},
	};
}
