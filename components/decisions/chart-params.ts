import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { measures } from './measures.ts';

const parsers = {
	/** Days of all decisions, or of each rule or person. */
	by: parseAsStringLiteral(['rule', 'person'] as const),
	/** And what of those is drawn. */
	of: parseAsStringLiteral(measures).withDefault('denied'),
};

/** How the ledger's charts are told apart: in the address, as all that changes what is shown. */
export function useChartParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
