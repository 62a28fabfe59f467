import type { Difference } from '../contract/archives/compare.ts';
import type { FeatureOutcome, FeatureRecord } from '../contract/archives/features.ts';
import { tokensOf } from '../usage/usage-totals.ts';

export interface TrendRun {
	id: string;
	name: string;
	/** ISO: when it was archived. */
	at: string;
	outcome: FeatureOutcome;
}

/** One figure over time; a value is null if an archive does not record it. */
export interface TrendSeries {
	name: 'work' | 'retries' | 'denials' | 'tokens' | 'cost' | 'passAt1';
	unit: Difference['unit'];
	values: readonly (number | null)[];
}

/** Number of newest archives that are drawn and listed. */
const MAX_RUNS = 60;

/** The workflows that archives were made by, those with the most archives first. */
export function trendWorkflows(features: readonly FeatureRecord[]): { workflow: string; count: number }[] {
	const counts = new Map<string, number>();
	for (const { state, workflow, outcome } of features)
		if (state === 'archived' && workflow && outcome) counts.set(workflow, (counts.get(workflow) ?? 0) + 1);
	return [...counts]
		.map(([workflow, count]) => ({ workflow, count }))
		.sort((one, other) => other.count - one.count || (one.workflow < other.workflow ? -1 : 1));
}

/** The archives of one workflow over time, the oldest first. */
export function trendRuns(features: readonly FeatureRecord[], workflow: string): TrendRun[] {
	return features
		.flatMap(({ id, name, state, archivedAt, outcome, workflow: own }) =>
			state === 'archived' && own === workflow && outcome && archivedAt ? { id, name, at: archivedAt, outcome } : [],
		)
		.sort((one, other) => (one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at < other.at ? -1 : 1))
		.slice(-MAX_RUNS);
}

export function trendSeries(runs: readonly TrendRun[]): TrendSeries[] {
	const values = (read: (outcome: FeatureOutcome) => number | null) => runs.map(({ outcome }) => read(outcome));
	return [
		{ name: 'work', unit: 'ms', values: values(({ durationMs }) => durationMs) },
		{ name: 'retries', unit: 'count', values: values(({ retries }) => retries) },
		{ name: 'denials', unit: 'count', values: values(({ denials }) => denials) },
		{ name: 'passAt1', unit: 'share', values: values(({ passAt1 }) => passAt1) },
		{ name: 'tokens', unit: 'tokens', values: values(({ usage }) => (usage ? tokensOf(usage) : null)) },
		{
			name: 'cost',
			unit: 'usd',
			values: values(({ usage }) => (usage && usage.unpriced < usage.answers ? usage.costUsd : null)),
		},
	];
}
