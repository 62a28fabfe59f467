import { QUESTION_TOOL, REVIEW_RULE, SUPERVISOR_GATE } from '#lib/supervisor/hook-forms.ts';
import { supervisorResultToHookOutput } from '#lib/supervisor/to-hook-output.ts';
import { isJson } from '../agents/claude-code/json.ts';
import { readInput } from '../agents/claude-code/read-input.ts';
import { digestOfCall } from '../engine/hold-call.ts';
import type { HeldCall, HookRun, Ports } from '../engine/ports.ts';

/** What a hook says of its review when it asks for a ticket. */
export interface ReviewRequest {
	/** The hook input, as the client sent it. */
	input: Record<string, unknown>;
	iteration: number;
	max: number;
	/** How much longer somebody waits, in milliseconds. */
	ms: number;
	/** The reviewer's denial, where that is to be held; absent while it thinks. */
	denied?: string;
}

/** Reads a request; null for anything that is none. */
export function readReviewRequest(text: string): ReviewRequest | null {
	try {
		const value: unknown = JSON.parse(text);
		if (!isJson(value)) return null;
		const { input, iteration, max, ms, denied } = value;
		if (!isJson(input) || !isCount(iteration) || !isCount(max) || !isCount(ms)) return null;
		return { input, iteration, max, ms, ...(typeof denied === 'string' && { denied }) };
	} catch {
		return null;
	}
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** The review as something that a person may decide; null for an input that nobody reviews. */
export function heldReview(request: ReviewRequest, run: HookRun, ports: Pick<Ports, 'digest'>): HeldCall | null {
	const read = readInput(request.input);
	if (!read.ok) return null;
	const { sessionId, agentId, toolUseId, fields } = read.input;
	const isQuestion = fields.hook_event_name === 'PreToolUse';
	if (isQuestion && fields.tool_name !== QUESTION_TOOL) return null;
	const event = isQuestion ? 'PreToolUse' : 'Stop';
	const tool = isQuestion ? QUESTION_TOOL : 'Stop';
	const input = isQuestion ? (fields.tool_input ?? null) : { said: fields.last_assistant_message ?? '' };
	const { denied, iteration, max } = request;
	const denial = { gate: SUPERVISOR_GATE, rule: REVIEW_RULE, reason: denied ?? '' };
	return {
		sessionId,
		agentId,
		toolUseId: isQuestion ? toolUseId : undefined,
		tool,
		input,
		inputDigest: digestOfCall(tool, input, ports),
		denials: denied === undefined ? [] : [denial],
		mayWait: true,
		output: { ...supervisorResultToHookOutput({ allow_stop: false, feedback: denied ?? '' }, event) },
		form: 'deny',
		facts: { review: { event, iteration, max, isOver: denied !== undefined } },
		hookInput: fields,
		run,
		review: { event },
	};
}
