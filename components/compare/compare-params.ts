import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

export const sortings = ['group', 'size', 'name'] as const;
export type Sorting = (typeof sortings)[number];

const parsers = {
	/** The two runs: an archive, a feature, a session, or `previous`. */
	a: parseAsString,
	b: parseAsString,
	sort: parseAsStringLiteral(sortings).withDefault('group'),
	/** Rows are shown that do not differ, too. */
	equal: parseAsBoolean.withDefault(false),
	/** Whose archives are shown over time. */
	workflow: parseAsString,
};

/** What is compared, and how it is shown; a copied address opens the same view. */
export function useCompareParams() {
	return useQueryStates(parsers, { history: 'push', scroll: false });
}
