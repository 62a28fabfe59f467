import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

export const sortings = ['group', 'size', 'name'] as const;
export type Sorting = (typeof sortings)[number];

const parsers = {
	/** The two runs: ids of archives, features or sessions, or `previous`. */
	a: parseAsString,
	b: parseAsString,
	sort: parseAsStringLiteral(sortings).withDefault('group'),
	equal: parseAsBoolean.withDefault(false),
	workflow: parseAsString,
};

export const useCompareParams = () => useQueryStates(parsers, { history: 'push', scroll: false });
