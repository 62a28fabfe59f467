import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { sortings } from '#lib/compare/sort-differences.ts';

const parsers = {
	/** The two runs: ids of archives, features or sessions, or `previous`. */
	a: parseAsString,
	b: parseAsString,
	sort: parseAsStringLiteral(sortings).withDefault('group'),
	equal: parseAsBoolean.withDefault(false),
	workflow: parseAsString,
};

export const useCompareParams = () => useQueryStates(parsers, { history: 'push', scroll: false });
