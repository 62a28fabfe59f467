import type { FeatureOutcome, FeatureRun } from '../contract/archives/features.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { addUsage } from '../usage/usage-totals.ts';

/** What the models of these sessions took in all; undefined where nothing is known of any. */
export function usageOfSessions(views: readonly Pick<SessionView, 'usage'>[]): UsageTotals | undefined {
	return views
		.flatMap(({ usage }) => usage?.total ?? [])
		.reduce<UsageTotals | undefined>((sum, each) => (sum ? addUsage(sum, each) : each), undefined);
}

/**
 * The runs of stages that sessions had for a feature, the first to begin first: those of the workflow that is for it.
 * Of a session that has gone on to something else all runs count.
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

/** How long a feature was worked on, ms: what was idle between its first and its last event is told apart. */
export const workMs = ({ durationMs, idleMs = 0 }: Pick<FeatureOutcome, 'durationMs' | 'idleMs'>): number =>
	durationMs - idleMs;
