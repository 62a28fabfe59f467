'use client';
import { useCallback, useMemo, useState } from 'react';
import type { DecisionRecord, LedgerSeriesBy } from '#lib/contract/archives/decisions.ts';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import type { LedgerParams } from './ledger-params.ts';

const PAGE = 100;
/** Lines are asked for at most so many at once. */
const MOST = 500;
/** Decisions are made all the time, so they are asked for again this often (ms). */
const AGAIN_MS = 10_000;
/** And so often while archives are read for the first time. */
const SOON_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

type Wanted = NonNullable<RequestOf<'GET /api/decisions/summary'>['query']>;

/** The filter as the server takes it; `since` goes by whole minutes, so that asking again is the same question. */
function filterOf({ days, followed: _, ...given }: LedgerParams): Wanted {
	const filter: Wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
	if (days === null) return filter;
	const from = Math.floor((Date.now() - Number(days) * DAY_MS) / 60_000) * 60_000;
	return { ...filter, since: new Date(from).toISOString() };
}

/** The lines of the ledger that fit, page after page, and what all of them come to; with `by`, days of each of those. */
export function useLedger(params: LedgerParams, by: LedgerSeriesBy | null) {
	const address = JSON.stringify(params);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the same words are the same question.
	const query = useMemo(() => filterOf(params), [address]);
	const { followed } = params;
	const wanted = useMemo(() => ({ ...query, ...(followed !== null && { followed }) }), [query, followed]);
	const [more, setMore] = useState({ wanted, lines: [] as readonly DecisionRecord[], next: null as string | null });
	const [isReading, setReading] = useState(false);
	const again = isReading ? SOON_MS : AGAIN_MS;
	const first = useAnswer(
		useCallback(() => callRoute('GET /api/decisions', { query: { ...wanted, limit: PAGE } }), [wanted]),
		again,
	);
	const unread = first.data?.unread ?? 0;
	if (isReading !== unread > 0) setReading(unread > 0);
	const zone = new Date().getTimezoneOffset();
	const sums = useAnswer(
		useCallback(() => {
			return callRoute('GET /api/decisions/summary', { query: { ...query, zone, ...(by !== null && { by }) } });
		}, [query, zone, by]),
		again,
	);
	// Split by something else they are asked for anew, and come to the same.
	const [kept, setKept] = useState({ query, sums: sums.data });
	if (sums.data !== null && sums.data !== kept.sums) setKept({ query, sums: sums.data });
	const later = more.wanted === wanted && more.lines.length > 0 ? more : null;
	const lines = unique([...(first.data?.decisions ?? []), ...(later?.lines ?? [])]);
	const next = later ? later.next : (first.data?.next ?? null);

	async function takeMore() {
		if (next === null) return;
		const answer = await callRoute('GET /api/decisions', { query: { ...wanted, limit: PAGE, before: next } });
		if (!answer.ok) return;
		setMore({ wanted, lines: [...(later?.lines ?? []), ...answer.data.decisions], next: answer.data.next });
	}

	/** Every line that fits. */
	async function takeAll(): Promise<readonly DecisionRecord[] | null> {
		const all: DecisionRecord[] = [];
		for (let before: string | null | undefined; before !== null; ) {
			const page = { ...wanted, limit: MOST, ...(before !== undefined && { before }) };
			const answer = await callRoute('GET /api/decisions', { query: page });
			if (!answer.ok) return null;
			all.push(...answer.data.decisions);
			before = answer.data.next;
		}
		return all;
	}

	return {
		lines,
		next,
		unread,
		isLoaded: first.data !== null,
		sums: kept.query === query ? kept.sums : null,
		error: first.error ?? sums.error,
		takeMore,
		takeAll,
	};
}

/** A line that was decided meanwhile stands in the first page anew. */
function unique(lines: readonly DecisionRecord[]): DecisionRecord[] {
	const byKey = new Map<string, DecisionRecord>();
	for (const line of lines) {
		const key = `${line.sessionId} ${line.rowKey}`;
		if (!byKey.has(key)) byKey.set(key, line);
	}
	return [...byKey.values()];
}
