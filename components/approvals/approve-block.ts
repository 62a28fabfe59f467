import { isCutOff } from '../text/payload.tsx';
import type { Ask } from './ask.ts';

/** Why a call may not be approved yet, in words; null when it may. Nobody approves what could not be seen. */
export function approveBlock(ask: Ask | null, hasOpened: boolean): string | null {
	if (ask?.isQuestion) return 'Answer the question, or deny it.';
	if (!ask) return 'Approve is possible once the input has been read.';
	return isCutOff(ask.input) && !hasOpened ? 'Open the full input to its end before you approve it.' : null;
}
