import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';

/** So many rows of a group are drawn at first, and so many more each time. */
export const ROWS_AT_FIRST = 100;
export const MORE_ROWS = 200;

const parsers = {
	/** Words that a session must have. */
	q: parseAsString.withDefault(''),
	/** At a hub: where sessions come from, by name. */
	team: parseAsString,
	project: parseAsString,
	machine: parseAsString,
	/** How many rows of each group are drawn. */
	rows: parseAsInteger.withDefault(ROWS_AT_FIRST),
};

/** What the list of sessions shows; a copied address, a reload and the way back open the same view. */
export function useSessionListParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
