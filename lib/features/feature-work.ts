import type { FeatureOutcome, FeatureRun } from '../contract/archives/features.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { addUsage } from '../usage/usage-totals.ts';

/** The total model usage of these sessions; undefined if none is known. */
export function usageOfSessions(views: readonly Pick<SessionView, 'usage'>[]): UsageTotals | undefined {
	return views
		.flatMap(({ usage }) => usage?.total ?? [])
		.reduce<UsageTotals | undefined>((sum, each) => (sum ? addUsage(sum, each) : each), undefined);
}

/**
 * The stages' runs for a feature, in order of begin. All of the session's runs count if it has started another workflow since.
 */
export function runsOfFeature(
	views: readonly Pick<SessionView, 'sessionId' | 'workflow' | 'stageRuns'>[],
	feature: string,
): FeatureRun[] {
	return views
		.flatMap(({ sessionId, workflow, stageRuns = [] }) => {
			const begun = workflow?.featureName === feature ? Date.parse(workflow.createdAt) : Number.NaN;
			return stageRuns.filter(({ from }) => !(from < begun)).map((run) => ({ sessionId, ...run }));
		})
		.sort((one, other) => one.from - other.from);
}

/** How long a feature was worked on, in ms: without the idle time between its first and its last event. */
export const workMs = ({ durationMs, idleMs = 0 }: Pick<FeatureOutcome, 'durationMs' | 'idleMs'>): number =>
	durationMs - idleMs;
