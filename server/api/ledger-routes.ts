import type { DecisionRecord, LedgerFilter, LedgerSeriesBy } from '#lib/contract/decisions.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { ledgerFilter } from '#lib/ledger/ledger-filter.ts';
import { createLedgerSums } from '#lib/ledger/summarise-ledger.ts';
import { inTurns } from '../features/in-turns.ts';
import type { IndexStore } from '../store/index-store.ts';
import { defineRoute } from './define-route.ts';
import type { SessionViews } from './session-routes.ts';

/** Lines read at once: hooks are answered between. */
const PAGE = 200;

/** What the routes need of the server. */
export interface LedgerRouteOptions {
	index: Pick<IndexStore, 'ledger'>;
	tail: Pick<SessionViews, 'viewOf'>;
}

/** Who decided what when, and what came of it. */
export function createLedgerRoutes({ index, tail }: LedgerRouteOptions) {
	/** Lines that fit, the newest first; undefined for each page that has been read. */
	function* lines({ since, until, ...wanted }: LedgerFilter, from?: string) {
		const fits = ledgerFilter(wanted);
		for (let before = from; ; ) {
			const page = index.ledger({ since, until, before, limit: PAGE });
			for (const { line, place } of page) {
				if (line.sessionId === HOME_SESSION) continue;
				const { project, branch } = tail.viewOf(line.sessionId) ?? {};
				const record: DecisionRecord = { ...line, ...(project && { project }), ...(branch && { branch }) };
				if (fits(record)) yield { record, place };
			}
			before = page.at(-1)?.place;
			if (page.length < PAGE) return;
			yield undefined;
		}
	}

	function* pageOf(filter: LedgerFilter, limit: number, before: string | undefined) {
		const hits: { record: DecisionRecord; place: string }[] = [];
		for (const line of lines(filter, before)) {
			if (line) hits.push(line);
			if (hits.length > limit) break;
			yield;
		}
		const decisions = hits.slice(0, limit).map(({ record }) => record);
		return { decisions, next: hits.length > limit ? (hits[limit - 1]?.place ?? null) : null };
	}

	function* summaryOf(filter: LedgerFilter, zone: number, by: LedgerSeriesBy | undefined) {
		const sums = createLedgerSums(zone, by);
		for (const line of lines(filter)) {
			if (line) sums.add(line.record);
			yield;
		}
		return sums.total();
	}

	return [
		defineRoute('GET /api/decisions', ({ query: { limit, before, ...filter } }) =>
			inTurns(pageOf(filter, limit, before)),
		),
		defineRoute('GET /api/decisions/summary', ({ query: { zone = 0, by, ...filter } }) =>
			inTurns(summaryOf(filter, zone, by)),
		),
	];
}
