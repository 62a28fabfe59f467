import type { LedgerEntry, LedgerOutcome, LedgerState } from '../contract/archives/decisions.ts';
import type { EventOf } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { ApprovalView, CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { defined } from '../json/json.ts';
import { find, isOverridden, outcomeOf, wasStopped } from '../session/call.ts';
import type { Folded } from '../session/fold.ts';
import { oneLine } from '../text/printable.ts';

/** The changes of one event in the ledger: the lines of the rows that the fold has changed. */
export function ledgerOf(event: IndexedEvent, { view, rows }: Folded): LedgerEntry[] {
	const entries = rows.map((row) => (row.call ? callEntry(event.sessionId, row.call) : entryOf(event, row, view)));
	return entries.filter((entry) => entry !== null);
}

function entryOf(event: IndexedEvent, row: Row, view: Folded['view']): LedgerEntry | null {
	// Anybody could have written a line that is not verified.
	if (!isKnown(event) || event.unverified) return null;
	switch (event.type) {
		case 'gate:verdict':
		case 'command:block':
			return denialEntry(event);
		case 'approval:request':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late': {
			const approval = find(view.approvals, 'approvalId', event.approvalId);
			return approval ? approvalEntry(event.sessionId, { approval, seq: row.seq, at: row.at }) : null;
		}
		default:
			return null;
	}
}

/** The ledger's line of a call; null if no gate denied it and no one was asked. */
function callEntry(sessionId: string, call: CallView): LedgerEntry | null {
	const approval = call.approval && isQuestion(call.approval) ? call.approval : undefined;
	const denials = call.verdicts.filter(({ decision }) => decision === 'deny');
	// A call that the client itself refused counts as stopped.
	if (denials.length === 0 && !approval && !call.grant && !wasStopped(call)) return null;
	const { toolUseId, seq, at, agentId, tool, title, grant } = call;
	return {
		sessionId,
		rowKey: `call:${toolUseId}`,
		seq,
		tool,
		title,
		...(agentId !== undefined && { agentId }),
		denials: denials.map(({ gate, rule, reason }) => ({ gate, rule, reason })),
		...(approval ? decided(approval, at) : { state: 'unasked', at }),
		...(grant && { state: 'granted' as const, at: grant.at, by: grant.by, reason: grant.reason }),
		outcome: ledgerOutcome(call),
		isDenied: wasStopped(call),
		isOverridden: isOverridden(call),
	};
}

/** The line of a question without a call of its own, such as one about a stop. */
function approvalEntry(
	sessionId: string,
	{ approval, seq, at }: { approval: ApprovalView; seq: number; at: string },
): LedgerEntry | null {
	if (!isQuestion(approval)) return null;
	const { approvalId, tool, title, agentId } = approval;
	return {
		sessionId,
		rowKey: `approval:${approvalId}`,
		seq,
		tool,
		title,
		...(agentId !== undefined && { agentId }),
		denials: [],
		...decided(approval, at),
		outcome: approval.state === 'waiting' ? 'waiting' : 'unknown',
		isDenied: false,
		isOverridden: false,
	};
}

/** The line of a denial without a call: of a stop, or of a line of the agent shell. */
function denialEntry(event: EventOf<'gate:verdict' | 'command:block'> & { seq: number }): LedgerEntry | null {
	const { sessionId, id, seq, ts: at, agentId } = event;
	const isVerdict = event.type === 'gate:verdict';
	if (event.toolUseId || (isVerdict && event.decision !== 'deny')) return null;
	const { reason } = event;
	return {
		sessionId,
		rowKey: `event:${id}`,
		seq,
		at,
		tool: isVerdict ? (event.hook ?? '') : 'sh',
		title: oneLine(isVerdict ? reason : event.command),
		...(agentId !== undefined && { agentId }),
		denials: isVerdict ? [{ gate: event.gate, rule: event.rule, reason: oneLine(reason) }] : [],
		state: 'unasked',
		outcome: 'never-ran',
		isDenied: true,
		isOverridden: false,
		...(isVerdict && { isStop: true as const }),
	};
}

/** Reviews that run or have finished are not questions to a person. */
function isQuestion({ review, state }: ApprovalView): boolean {
	return !review || review.isOver || (state !== 'abandoned' && state !== 'expired' && state !== 'waiting');
}

type Decided = Pick<LedgerEntry, 'state' | 'at' | 'askedAt' | 'by' | 'reason' | 'decideMs'>;

function decided({ state, requestedAt, decidedAt, by, reason }: ApprovalView, at: string): Decided {
	const took = by && requestedAt && decidedAt ? Date.parse(decidedAt) - Date.parse(requestedAt) : Number.NaN;
	return {
		state: state satisfies LedgerState,
		at: decidedAt ?? requestedAt ?? at,
		...defined({ askedAt: requestedAt, by, reason: by && reason }),
		...(took >= 0 && { decideMs: took }),
	};
}

/** The outcome of a call in the terms of the ledger. */
export function ledgerOutcome(call: CallView): LedgerOutcome {
	const outcome = outcomeOf(call);
	if (outcome === 'stopped') return 'never-ran';
	// A call that a person let run may have run.
	return outcome === 'unknown' && isOverridden(call) ? 'never-ran' : outcome;
}
