import type { FeatureRecord } from '../contract/archives/features.ts';
import { costOfAll, tokensOf } from '../usage/usage-totals.ts';
import { workMs } from './feature-work.ts';

/** Sort value of each column; null and undefined mean no value. */
const sortValues = {
	date: ({ archivedAt }: FeatureRecord) => archivedAt,
	name: ({ name }: FeatureRecord) => name,
	machine: ({ machine }: FeatureRecord) => machine?.name,
	workflow: ({ workflow }: FeatureRecord) => workflow,
	duration: ({ outcome, sessions }: FeatureRecord) => (outcome && sessions.length > 0 ? workMs(outcome) : null),
	retries: ({ outcome }: FeatureRecord) => outcome?.retries,
	pass1: ({ outcome }: FeatureRecord) => outcome?.passAt1,
	denials: ({ outcome }: FeatureRecord) => outcome?.denials,
	overrides: ({ outcome }: FeatureRecord) => outcome?.overrides,
	tokens: ({ outcome }: FeatureRecord) => outcome?.usage && tokensOf(outcome.usage),
	cost: ({ outcome }: FeatureRecord) => (outcome?.usage && costOfAll(outcome.usage) ? outcome.usage.costUsd : null),
};
export type SortColumn = keyof typeof sortValues;

export const sortColumns = Object.keys(sortValues) as SortColumn[];

interface FeatureFilter {
	project: string | null;
	workflow: string | null;
	name: string | null;
	make: string | null;
}

/** Null fits every feature; names fit by a part, in any case. */
export function fitsFilter(feature: FeatureRecord, { project, workflow, name, make }: FeatureFilter): boolean {
	if (project !== null && feature.project !== project) return false;
	if (workflow !== null && feature.workflow !== workflow) return false;
	if (make !== null && !feature.makes.includes(make)) return false;
	return name === null || feature.name.toLowerCase().includes(name.toLowerCase());
}

/** Sorts archived features by a column. Features without a value come last in both directions. */
export function sortFeatures(features: readonly FeatureRecord[], by: SortColumn, down: boolean): FeatureRecord[] {
	return [...features].sort((a, b) => {
		const [one, other] = [sortValues[by](a) ?? null, sortValues[by](b) ?? null];
		if (one === other) return a.id < b.id ? -1 : 1;
		if (one === null) return 1;
		if (other === null) return -1;
		return (one < other ? -1 : 1) * (down ? -1 : 1);
	});
}

const MAX_PAIRS = 10;

export const newestFirst = (one: FeatureRecord, other: FeatureRecord) =>
	(one.archivedAt ?? '') < (other.archivedAt ?? '') ? 1 : -1;

/** The archives that can be compared, newest first. */
export const archivesOf = (features: readonly FeatureRecord[]) =>
	features.filter(({ state, sessions }) => state === 'archived' && sessions.length > 0).sort(newestFirst);

/** The two newest archives of each feature that has several, newest first. */
export function likelyPairs(features: readonly FeatureRecord[]): [FeatureRecord, FeatureRecord][] {
	const byFeature = new Map<string, FeatureRecord[]>();
	for (const archive of archivesOf(features)) {
		const key = `${archive.project}/${archive.name}`;
		byFeature.set(key, [...(byFeature.get(key) ?? []), archive]);
	}
	return [...byFeature.values()]
		.flatMap(([second, first]): [FeatureRecord, FeatureRecord][] => (first && second ? [[first, second]] : []))
		.slice(0, MAX_PAIRS);
}
