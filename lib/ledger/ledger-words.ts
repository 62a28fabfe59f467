import type { DecisionRecord, LedgerOutcome, LedgerState } from '../contract/archives/decisions.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { Plain } from '../messages/say.ts';
import { csvText } from '../text/csv.ts';
import { personOf } from './ledger-filter.ts';

export const stateWords: Record<LedgerState, Plain> = {
	waiting: 'waits for a person',
	approved: 'approved',
	answered: 'answered',
	denied: 'denied by a person',
	granted: 'let run by a grant',
	expired: 'nobody answered',
	abandoned: 'the agent left',
	late: 'approved, came too late: the agent had been denied',
	unasked: 'no one was asked',
};

export const outcomeWords: Record<LedgerOutcome, Plain> = {
	waiting: 'waits',
	running: 'runs',
	ran: 'ran',
	failed: 'failed',
	'never-ran': 'not run',
	unknown: 'not known',
};

const tones: Record<LedgerOutcome, Tone> = {
	waiting: 'wait',
	running: 'run',
	ran: 'ok',
	failed: 'err',
	'never-ran': 'plain',
	unknown: 'warn',
};

/** The outcome of one decision: its words and their tone. A denied call that ran without permission is an alarm. */
export function outcomeLook({ outcome, denials, isOverridden, isStop }: DecisionRecord): { words: Plain; tone: Tone } {
	if (outcome === 'ran' && denials.length > 0 && !isOverridden) return { words: 'ran all the same', tone: 'err' };
	// A refused stop makes the agent continue: it does not run.
	if (outcome === 'never-ran' && isStop) return { words: 'sent back', tone: tones[outcome] };
	return { words: outcomeWords[outcome], tone: tones[outcome] };
}

const columns: readonly [name: string, of: (line: DecisionRecord) => string | undefined][] = [
	['decided_at', ({ at }) => at],
	['asked_at', ({ askedAt }) => askedAt],
	['decision', ({ state }) => state],
	['outcome', ({ outcome }) => outcome],
	['person', (line) => personOf(line) ?? undefined],
	['reason', ({ reason }) => reason],
	['seconds_to_decide', ({ decideMs }) => (decideMs === undefined ? undefined : String(decideMs / 1000))],
	['tool', ({ tool }) => tool],
	['what', ({ title }) => title],
	['gates', ({ denials }) => denials.map(({ gate }) => gate).join(' ')],
	['rules', ({ denials }) => denials.map(({ rule }) => rule).join(' ')],
	['why_denied', ({ denials }) => denials.map(({ reason }) => reason).join(' | ')],
	['project', ({ project }) => project],
	['branch', ({ branch }) => branch],
	['session', ({ sessionId }) => sessionId],
	['row', ({ rowKey }) => rowKey],
	['archive', ({ archive }) => archive],
	[
		'then',
		({ followed }) => followed?.calls.map(({ tool, title, outcome }) => `${tool} ${title} (${outcome})`).join(' | '),
	],
	['stopped_again_at', ({ followed }) => followed?.again?.at],
	['stage', ({ followed }) => followed?.stage?.stage],
	['stage_result', ({ followed }) => followed?.stage?.result ?? undefined],
];

/** Lines of the ledger as CSV (RFC 4180). */
export function ledgerCsv(lines: readonly DecisionRecord[]): string {
	return csvText([columns.map(([name]) => name), ...lines.map((line) => columns.map(([, of]) => of(line) ?? ''))]);
}
