import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { workMs } from '#lib/features/feature-work.ts';
import { costOfAll, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { TextField } from '../ui/text-field.tsx';

export function NameFilter() {
	const say = useSay();
	const [{ name }, setParams] = useFeatureParams();
	return (
		<TextField
			isBare
			type="search"
			label={say('Filter by name')}
			placeholder={say('name')}
			value={name ?? ''}
			onWrite={(part) => void setParams({ name: part || null })}
			className="w-40"
		/>
	);
}

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

const parsers = {
	project: parseAsString,
	workflow: parseAsString,
	name: parseAsString,
	sort: parseAsStringLiteral(Object.keys(sortValues) as SortColumn[]).withDefault('date'),
	down: parseAsBoolean.withDefault(true),
};

export const useFeatureParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

interface FeatureFilter {
	project: string | null;
	workflow: string | null;
	name: string | null;
	make: string | null;
}

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

/** Poll interval (ms), because other programs change the feature folders. */
const AGAIN_MS = 5_000;
export function useFeatures() {
	const { data, error, reload } = useRoute('GET /api/features', {}, { everyMs: AGAIN_MS });
	return { features: data?.features ?? null, projects: data?.projects ?? [], error, reload };
}

const MOST_PAIRS = 10;

export const newestFirst = (one: FeatureRecord, other: FeatureRecord) =>
	(one.archivedAt ?? '') < (other.archivedAt ?? '') ? 1 : -1;

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
		.slice(0, MOST_PAIRS);
}
