import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';

const parsers = {
	/** The instant in ms; the whole recording without it. */
	at: parseAsInteger,
	/** The session whose readings are shown. */
	session: parseAsString,
};

/** Where in a recording the page stands; a copied address opens the same instant. */
export function useReplayParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
