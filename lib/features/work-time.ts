import type { FeatureOutcome } from '../contract/archives/features.ts';

/** How long a feature was worked on, ms: what was idle between its first and its last event is told apart. */
export const workMs = ({ durationMs, idleMs = 0 }: Pick<FeatureOutcome, 'durationMs' | 'idleMs'>): number =>
	durationMs - idleMs;
