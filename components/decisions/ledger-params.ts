import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { LedgerOutcome, LedgerState } from '#lib/contract/archives/decisions.ts';
import { outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';
import { measures } from './ledger-figures.tsx';

/** Spans of time to choose from, in days; everything where none is chosen. */
export const spans = ['1', '7', '30', '90'] as const;

const parsers = {
	kind: parseAsStringLiteral(['denied', 'denied-calls', 'overridden'] as const),
	state: parseAsStringLiteral(Object.keys(stateWords) as LedgerState[]),
	outcome: parseAsStringLiteral(Object.keys(outcomeWords) as LedgerOutcome[]),
	rule: parseAsString,
	gate: parseAsString,
	person: parseAsString,
	project: parseAsString,
	make: parseAsString,
	/** Sessions that another page counts, see `LedgerFilter`. */
	session: parseAsString,
	days: parseAsStringLiteral(spans),
	/** Each line with what happened next. */
	followed: parseAsStringLiteral(['true']),
};

/** What the ledger shows: all of it is in the address. */
export function useLedgerParams() {
	return useQueryStates(parsers, { history: 'push', scroll: false });
}

/** Whether lines are left out. */
export const isNarrowed = ({ followed: _, ...filter }: LedgerParams) =>
	Object.values(filter).some((value) => value !== null);

export type LedgerParams = ReturnType<typeof useLedgerParams>[0];

const chartParsers = {
	/** Days of all decisions, or of each rule or person. */
	by: parseAsStringLiteral(['rule', 'person'] as const),
	/** And what of those is drawn. */
	of: parseAsStringLiteral(measures).withDefault('denied'),
};

/** How the ledger's charts are told apart: in the address, as all that changes what is shown. */
export function useChartParams() {
	return useQueryStates(chartParsers, { history: 'replace', scroll: false });
}
