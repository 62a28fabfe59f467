import { setImmediate as turn } from 'node:timers/promises';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { DecisionRecord, LedgerFilter } from '#lib/contract/archives/decisions.ts';
import { isHomeSession } from '#lib/ids/session-name.ts';
import { FOLLOWED_ROWS, whatFollowed } from '#lib/ledger/ledger-collector.ts';
import { ledgerFilter } from '#lib/ledger/ledger-filter.ts';
import { createLedgerSums } from '#lib/ledger/summarise-ledger.ts';
import { type ArchivedLedger, type ArchivedLine, isNewer } from '../../archives/ledger/archived-ledger.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';

const PAGE = 200;

export interface LedgerRouteOptions {
	reads: Pick<SessionReads, 'ledger' | 'view' | 'rows'>;
	archived: ArchivedLedger;
}

export function createLedgerRoutes({ reads, archived }: LedgerRouteOptions) {
	const isHere = async (sessionId: string) => (await reads.view(sessionId)) !== undefined;

	/** The index's lines of that time, newest first. */
	async function* indexed({ since, until }: LedgerFilter, from?: string): AsyncGenerator<ArchivedLine> {
		const sessions = new Map<string, Pick<DecisionRecord, 'agent' | 'project' | 'branch' | 'machine'>>();
		const sessionOf = async (sessionId: string) => {
			const known = sessions.get(sessionId);
			if (known) return known;
			const { agent = FIRST_AGENT, project, branch, machine } = (await reads.view(sessionId)) ?? {};
			const found = { agent, ...(project && { project }), ...(branch && { branch }), ...(machine && { machine }) };
			sessions.set(sessionId, found);
			return found;
		};
		for (let before = from; ; ) {
			const page = await reads.ledger({ since, until, before, limit: PAGE });
			for (const { line, place } of page) {
				if (isHomeSession(line.sessionId)) continue;
				yield { record: { ...line, ...(await sessionOf(line.sessionId)) }, place };
			}
			before = page.at(-1)?.place;
			if (page.length < PAGE) return;
			await turn();
		}
	}

	/** Matching lines, newest first, including those of sessions that only archives have. */
	async function* lines(wanted: LedgerFilter, kept: readonly ArchivedLine[], from?: string) {
		const { since, until, ...filter } = wanted;
		const fits = ledgerFilter(filter);
		const isWanted = ({ record: { at }, place }: ArchivedLine) =>
			(since === undefined || Date.parse(at) >= Date.parse(since)) &&
			(until === undefined || Date.parse(at) < Date.parse(until)) &&
			(from === undefined || isNewer(from, place));
		const others = kept.filter(isWanted);
		let next = 0;
		for await (const line of indexed(wanted, from)) {
			for (let other = others[next]; other && isNewer(other.place, line.place); other = others[++next])
				if (fits(other.record)) yield other;
			if (fits(line.record)) yield line;
		}
		for (const other of others.slice(next)) if (fits(other.record)) yield other;
	}

	async function withFollowed(record: DecisionRecord): Promise<DecisionRecord> {
		if (record.followed) return record;
		const { sessionId, seq } = record;
		const view = await reads.view(sessionId);
		if (!view) return record;
		const rows = await reads.rows(sessionId, { after: seq, limit: FOLLOWED_ROWS });
		return { ...record, followed: whatFollowed(record, rows, view) };
	}

	return [
		defineRoute('GET /api/decisions', async ({ query: { limit, before, followed, ...filter } }) => {
			const { lines: kept, unread } = await archived.read(isHere);
			const hits: ArchivedLine[] = [];
			for await (const line of lines(filter, kept, before)) if (hits.push(line) > limit) break;
			const decisions: DecisionRecord[] = [];
			for (const { record } of hits.slice(0, limit))
				decisions.push(followed ? await withFollowed(record) : withoutFollowed(record));
			const next = hits.length > limit ? (hits[limit - 1]?.place ?? null) : null;
			return { decisions, next, ...(unread > 0 && { unread }) };
		}),
		defineRoute('GET /api/decisions/summary', async ({ query: { zone = 0, by, ...filter } }) => {
			const { lines: kept } = await archived.read(isHere);
			const sums = createLedgerSums(zone, by);
			for await (const { record } of lines(filter, kept)) sums.add(record);
			return sums.total();
		}),
	];
}

const withoutFollowed = ({ followed: _, ...record }: DecisionRecord): DecisionRecord => record;
