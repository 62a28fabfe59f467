import type { ApprovalRecord } from '#lib/contract/http.ts';
import type { ApprovalView } from '#lib/session/call.ts';

/** A card of the inbox. */
export interface InboxCard {
	sessionId: string;
	approval: ApprovalView;
}

/** A record of the journal as a card; only prompts of the client carry suggestions, if perhaps none. */
export function cardOf({ id, sessionId, input: _input, ...rest }: ApprovalRecord): InboxCard {
	return { sessionId, approval: { approvalId: id, ...rest, ...(rest.suggestions && { isPrompt: true }) } };
}

/** Nobody decided: the denial stands. A prompt that was closed has been decided in the terminal. */
export function isLapsed({ state, isPrompt }: ApprovalView): boolean {
	return state === 'expired' || (state === 'abandoned' && !isPrompt);
}
