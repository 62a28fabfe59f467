import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { ApprovalView, CallAlarm } from '#lib/contract/sessions/read-model/call-view.ts';

/** A card of the inbox. */
export interface InboxCard {
	sessionId: string;
	approval: ApprovalView;
	/** What went otherwise than decided with its call. */
	alarm?: CallAlarm;
	/** Since when (ms of the page's clock) it is over, of one that the page has seen waiting. */
	overSince?: number;
}

/** A record of the journal as a card; only prompts of the client carry suggestions, if perhaps none. */
export function cardOf({ id, sessionId, input: _input, alarm, ...rest }: ApprovalRecord): InboxCard {
	const approval = { approvalId: id, ...rest, ...(rest.suggestions && { isPrompt: true as const }) };
	return { sessionId, approval, ...(alarm && { alarm }) };
}

/** Nobody decided: the denial stands. A prompt that was closed has been decided in the terminal. */
export function isLapsed({ state, isPrompt }: ApprovalView): boolean {
	return state === 'expired' || (state === 'abandoned' && !isPrompt);
}
