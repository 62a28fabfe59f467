import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { workMs } from '#lib/features/feature-work.ts';
import { costOfAll, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';

export function NameFilter() {
	const say = useSay();
	const [{ name }, setParams] = useFeatureParams();
	return (
		<input
			type="search"
			aria-label={say('Filter by name')}
			placeholder={say('name')}
			value={name ?? ''}
			onChange={(event) => void setParams({ name: event.target.value || null })}
			className="h-7 w-40 rounded border border-edge bg-surface px-2 placeholder:text-muted"
		/>
	);
}

const sortColumns = [
	'date',
	'name',
	'machine',
	'workflow',
	'duration',
	'retries',
	'pass1',
	'denials',
	'overrides',
	'tokens',
	'cost',
] as const;
export type SortColumn = (typeof sortColumns)[number];

const parsers = {
	project: parseAsString,
	workflow: parseAsString,
	name: parseAsString,
	sort: parseAsStringLiteral(sortColumns).withDefault('date'),
	down: parseAsBoolean.withDefault(true),
};

export const useFeatureParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

interface FeatureFilter {
	project: string | null;
	workflow: string | null;
	/** Part of a name, in any case. */
	name: string | null;
	make: string | null;
}

export function fitsFilter(feature: FeatureRecord, { project, workflow, name, make }: FeatureFilter): boolean {
	if (project !== null && feature.project !== project) return false;
	if (workflow !== null && feature.workflow !== workflow) return false;
	if (make !== null && !feature.makes.includes(make)) return false;
	return name === null || feature.name.toLowerCase().includes(name.toLowerCase());
}

/** Archived features in the order of a column; what has no value there comes last, whichever way. */
export function sortFeatures(features: readonly FeatureRecord[], by: SortColumn, down: boolean): FeatureRecord[] {
	return [...features].sort((a, b) => {
		const [one, other] = [sortValue(a, by), sortValue(b, by)];
		if (one === other) return a.id < b.id ? -1 : 1;
		if (one === null) return 1;
		if (other === null) return -1;
		return (one < other ? -1 : 1) * (down ? -1 : 1);
	});
}

function sortValue(
	{ name, machine, workflow, archivedAt, outcome, sessions }: FeatureRecord,
	by: SortColumn,
): string | number | null {
	switch (by) {
		case 'date':
			return archivedAt ?? null;
		case 'name':
			return name;
		case 'machine':
			return machine?.name ?? null;
		case 'workflow':
			return workflow ?? null;
		case 'duration':
			return sessions.length > 0 ? (outcome ? workMs(outcome) : null) : null;
		case 'retries':
			return outcome?.retries ?? null;
		case 'pass1':
			return outcome?.passAt1 ?? null;
		case 'denials':
			return outcome?.denials ?? null;
		case 'overrides':
			return outcome?.overrides ?? null;
		case 'tokens':
			return outcome?.usage ? tokensOf(outcome.usage) : null;
		case 'cost':
			return outcome?.usage && costOfAll(outcome.usage) ? outcome.usage.costUsd : null;
	}
}

/** Features live in folders that others change, so the list is asked for again this often (ms). */
const AGAIN_MS = 5_000;
export function useFeatures() {
	const { data, error, reload } = useRoute('GET /api/features', {}, { everyMs: AGAIN_MS });
	return { features: data?.features ?? null, projects: data?.projects ?? [], error, reload };
}
