/** A hook input as far as the supervisor looks at it (seed 004). */
export interface SupervisorInput {
	sessionId: string;
	/** `Stop` where the input names no event. */
	event: string;
	/** Stop: a stop hook has already sent the agent on. */
	stopHookActive: boolean;
	/** PreToolUse only. */
	toolName?: string;
	toolInput?: unknown;
	toolUseId?: string;
}

/** What a review says, in the reviewer's own words (seed 004). */
export interface SupervisorResult {
	allow_stop: boolean;
	feedback: string;
}

/** An input that was read, or why it is none. */
export type SupervisorInputRead = { ok: true; input: SupervisorInput } | { ok: false; reason: string };

/** The only tool whose call the supervisor reviews: a question to the person. */
export const QUESTION_TOOL = 'AskUserQuestion';

/** Whether the supervisor has a say: an agent that wants to stop, or one that wants to ask its person. */
export function isReviewed({ event, toolName }: SupervisorInput): boolean {
	return event === 'Stop' || (event === 'PreToolUse' && toolName === QUESTION_TOOL);
}
