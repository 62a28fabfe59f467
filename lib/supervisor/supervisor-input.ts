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

export interface SupervisorResult {
	allow_stop: boolean;
	feedback: string;
}

export type SupervisorInputRead = { ok: true; input: SupervisorInput } | { ok: false; reason: string };

export const QUESTION_TOOL = 'AskUserQuestion';

/** An agent that wants to stop, or to ask its person. */
export function isReviewed({ event, toolName }: SupervisorInput): boolean {
	return event === 'Stop' || (event === 'PreToolUse' && toolName === QUESTION_TOOL);
}
