import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { sortColumns } from './feature-list.ts';

const parsers = {
	project: parseAsString,
	workflow: parseAsString,
	name: parseAsString,
	sort: parseAsStringLiteral(sortColumns).withDefault('date'),
	down: parseAsBoolean.withDefault(true),
};

/** Filters and order of the features page; a copied address opens the same view. */
export function useFeatureParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
