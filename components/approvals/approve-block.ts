import type { Plain } from '#lib/messages/say.ts';
import type { Ask } from './ask.ts';

/** Why a call may not be approved yet, in words; null when it may. Nobody approves what is not on screen as a whole. */
export function approveBlock(ask: Ask | null, isWhole: boolean): Plain | null {
	if (ask?.isQuestion) return 'Answer the question, or deny it.';
	if (!ask) return 'Approve is possible once the input has been read.';
	return isWhole ? null : 'Open the full input to its end before you approve it.';
}
