import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { LedgerOutcome, LedgerState } from '#lib/contract/archives/decisions.ts';
import { measures } from '#lib/ledger/ledger-days.ts';
import { outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';

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
	/** Sessions counted by the linking page, see `LedgerFilter`. */
	session: parseAsString,
	days: parseAsStringLiteral(spans),
	followed: parseAsStringLiteral(['true']),
};

export const useLedgerParams = () => useQueryStates(parsers, { history: 'push', scroll: false });

export const isNarrowed = ({ followed: _, ...filter }: LedgerParams) =>
	Object.values(filter).some((value) => value !== null);

export type LedgerParams = ReturnType<typeof useLedgerParams>[0];

const chartParsers = {
	by: parseAsStringLiteral(['rule', 'person'] as const),
	of: parseAsStringLiteral(measures).withDefault('denied'),
};

export const useChartParams = () => useQueryStates(chartParsers, { history: 'replace', scroll: false });
