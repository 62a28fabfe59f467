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

/** What a PreToolUse hook prints (seed 004). */
export interface HookSpecificOutput {
	hookEventName: 'PreToolUse';
	permissionDecision: 'allow' | 'deny' | 'ask';
	permissionDecisionReason: string;
}

/** What the supervisor's hook prints: the first two for Stop, the last for PreToolUse (seed 004). */
export interface SupervisorOutput {
	/** Without it the agent may stop. */
	decision?: 'block';
	reason?: string;
	hookSpecificOutput?: HookSpecificOutput;
}

/** What a review says, in the reviewer's own words (seed 004). */
export interface SupervisorResult {
	allow_stop: boolean;
	feedback: string;
}

/** An input that was read, or why it is none. */
export type SupervisorInputRead = { ok: true; input: SupervisorInput } | { ok: false; reason: string };

/** The supervisor's name and rules in verdicts. */
export const SUPERVISOR_GATE = 'supervisor';
export const REVIEW_RULE = 'supervisor.review';
export const REVIEW_FAILED_RULE = 'supervisor.review-failed';

/** The only tool whose call the supervisor reviews: a question to the person. */
export const QUESTION_TOOL = 'AskUserQuestion';

/** Narrows a parsed hook input. `session_id` is required; a missing `hook_event_name` means Stop (seed 004). */
export function readSupervisorInput(fields: Readonly<Record<string, unknown>>): SupervisorInputRead {
	const { session_id: sessionId, hook_event_name: event, tool_name: toolName, tool_use_id: toolUseId } = fields;
	if (typeof sessionId !== 'string' || sessionId === '') return { ok: false, reason: 'session_id is missing' };
	return {
		ok: true,
		input: {
			sessionId,
			event: typeof event === 'string' && event !== '' ? event : 'Stop',
			stopHookActive: fields.stop_hook_active === true,
			...(typeof toolName === 'string' && { toolName }),
			...('tool_input' in fields && { toolInput: fields.tool_input }),
			...(typeof toolUseId === 'string' && { toolUseId }),
		},
	};
}

/** Whether the supervisor has a say: an agent that wants to stop, or one that wants to ask its person. */
export function isReviewed({ event, toolName }: SupervisorInput): boolean {
	return event === 'Stop' || (event === 'PreToolUse' && toolName === QUESTION_TOOL);
}
