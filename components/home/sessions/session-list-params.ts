import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';

export const ROWS_AT_FIRST = 100;
export const MORE_ROWS = 200;

const parsers = {
	q: parseAsString.withDefault(''),
	/** At a hub: where sessions come from, by name. */
	team: parseAsString,
	project: parseAsString,
	machine: parseAsString,
	rows: parseAsInteger.withDefault(ROWS_AT_FIRST),
};

export const useSessionListParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });
