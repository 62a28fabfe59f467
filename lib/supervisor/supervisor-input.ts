import { QUESTION_TOOL } from '../agents/tool-call.ts';

export interface SupervisorInput {
	sessionId: string;
	/** `Stop` if the input names no event. */
	event: string;
	/** A stop hook has already refused this stop. */
	stopHookActive: boolean;
	toolName?: string;
	toolInput?: unknown;
	toolUseId?: string;
}

export type SupervisorInputRead = { ok: true; input: SupervisorInput } | { ok: false; reason: string };

/** An agent that wants to stop, or to ask its person. */
export function isReviewed({ event, toolName }: SupervisorInput): boolean {
	return event === 'Stop' || (event === 'PreToolUse' && toolName === QUESTION_TOOL);
}
