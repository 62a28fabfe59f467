import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyJournal } from '#server/journal/verify-journal.ts';
import { openJournalReads } from '#server/timeline/store/sqlite-journal.ts';
import type { DiskRecord } from './disk-log.ts';
import type { Promised } from './home-life.ts';

/** What the documents promise: at most the last second of events. */
const PROMISED_MS = 1000;

/** What was held against the disks, and what of it they no longer had. */
export interface LossCounts {
	decisions: number;
	releases: number;
	events: number;
	'events lost': number;
	'oldest lost, ms': number;
	[what: string]: number;
}

/**
 * Holds a home, on which a server has started after a cut at `cutMs`, against what people and agents were told before it;
 * `counts` is added to. Gives what must not be: a lost row, a lost event that is older than promised, a journal that took
 * the cut for damage.
 */
export function lossesAfterCut(
	home: string,
	records: readonly DiskRecord[],
	cutMs: number,
	counts: LossCounts,
): string[] {
	const rows = rowsOf(join(home, 'journal.db'));
	const hasEvent = eventsOf(home);
	const lossOf = (promised: Promised, ms: number): string | null => {
		if (promised.what === 'decision') {
			counts.decisions += 1;
			return rows.decided.has(promised.approvalId) ? null : `decision ${promised.approvalId}`;
		}
		if (promised.what === 'released') {
			counts.releases += 1;
			return rows.approved.has(promised.toolUseId) ? null : `the row of the released call ${promised.toolUseId}`;
		}
		counts.events += 1;
		if (hasEvent(promised)) return null;
		const age = cutMs - ms;
		counts['events lost'] += 1;
		counts['oldest lost, ms'] = Math.max(counts['oldest lost, ms'], age);
		return age > PROMISED_MS ? `an event of ${age} ms before the cut` : null;
	};
	const promises = records.filter(({ kind }) => kind === 'told');
	const losses = promises.map(({ path, ms }) => lossOf(JSON.parse(path) as Promised, ms));
	return [...rows.wrong, ...losses.filter((loss) => loss !== null)];
}

/** What the journal says, and what is wrong with it. */
function rowsOf(path: string) {
	const { bad, breaks } = verifyJournal(path, [], { everySignature: true });
	const journal = openJournalReads(path);
	const decided = journal.byKind(['approval:resolve'], { limit: 1_000_000 });
	journal.close();
	const approved = decided.filter(({ payload }) => payload.decision === 'approve');
	return {
		wrong: [
			...(bad ? [`row ${bad.n}: ${bad.what}`] : []),
			...breaks.map(({ n, what }) => `row ${n}: the journal ${what}`),
		],
		decided: new Set(decided.map(({ subject }) => subject)),
		approved: new Set(approved.map(({ payload }) => payload.toolUseId)),
	};
}

/** Whether a timeline of the home has an event. */
function eventsOf(home: string) {
	const texts = new Map<string, string>();
	return ({ sessionId, marker }: { sessionId: string; marker: string }): boolean => {
		const file = join(home, 'sessions', sessionId, 'timeline.jsonl');
		const text = texts.get(sessionId) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
		texts.set(sessionId, text);
		return text.includes(`"${marker}"`);
	};
}
