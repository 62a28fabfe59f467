import { setImmediate as turn } from 'node:timers/promises';
import type { DecisionRecord, LedgerFilter } from '#lib/contract/decisions.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { ledgerFilter } from '#lib/ledger/ledger-filter.ts';
import { createLedgerSums } from '#lib/ledger/summarise-ledger.ts';
import type { SessionReads } from '../store/session-reads.ts';
import { defineRoute } from './define-route.ts';

/** Lines read at once: hooks are answered between. */
const PAGE = 200;

/** What the routes need of the server. */
export interface LedgerRouteOptions {
	reads: Pick<SessionReads, 'ledger' | 'view'>;
}

/** Who decided what when, and what came of it. */
export function createLedgerRoutes({ reads }: LedgerRouteOptions) {
	/** Lines that fit, the newest first. */
	async function* lines({ since, until, ...wanted }: LedgerFilter, from?: string) {
		const fits = ledgerFilter(wanted);
		const sessions = new Map<string, Pick<DecisionRecord, 'project' | 'branch'>>();
		const sessionOf = async (sessionId: string) => {
			const known = sessions.get(sessionId);
			if (known) return known;
			const { project, branch } = (await reads.view(sessionId)) ?? {};
			const found = { ...(project && { project }), ...(branch && { branch }) };
			sessions.set(sessionId, found);
			return found;
		};
		for (let before = from; ; ) {
			const page = await reads.ledger({ since, until, before, limit: PAGE });
			for (const { line, place } of page) {
				if (line.sessionId === HOME_SESSION) continue;
				const record: DecisionRecord = { ...line, ...(await sessionOf(line.sessionId)) };
				if (fits(record)) yield { record, place };
			}
			before = page.at(-1)?.place;
			if (page.length < PAGE) return;
			await turn();
		}
	}

	return [
		defineRoute('GET /api/decisions', async ({ query: { limit, before, ...filter } }) => {
			const hits: { record: DecisionRecord; place: string }[] = [];
			for await (const line of lines(filter, before)) if (hits.push(line) > limit) break;
			const decisions = hits.slice(0, limit).map(({ record }) => record);
			return { decisions, next: hits.length > limit ? (hits[limit - 1]?.place ?? null) : null };
		}),
		defineRoute('GET /api/decisions/summary', async ({ query: { zone = 0, by, ...filter } }) => {
			const sums = createLedgerSums(zone, by);
			for await (const { record } of lines(filter)) sums.add(record);
			return sums.total();
		}),
	];
}
