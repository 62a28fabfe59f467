import { parseAsString, useQueryStates } from 'nuqs';

const parsers = {
	/** Patterns of commands, with spaces between; absent leaves each day's own list. */
	exclude: parseAsString,
	/** A project by its id; absent asks all sessions. */
	project: parseAsString,
	/** One session alone. */
	session: parseAsString,
};

/** What history is asked; a copied address asks the same. */
export function useRejudgeParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
