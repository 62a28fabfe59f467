import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { REVIEW_RULE, SUPERVISOR_GATE } from '#lib/gates/supervisor/supervisor-gate.ts';
import { isJson, parsedObject } from '#lib/json/json.ts';
import { reviewDecision } from '#lib/supervisor/review-answers.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import { waitingCall } from '../engine/decide-call.ts';
import type { DeniedCall } from '../ports/denied-call.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { Ports } from '../ports/ports.ts';

/** A hook's request for a ticket for its review. */
export interface ReviewRequest {
	/** The hook input, as the client sent it. */
	input: Record<string, unknown>;
	iteration: number;
	max: number;
	/** Remaining waiting time in milliseconds. */
	ms: number;
	/** The reviewer's denial, if it is held; absent during the review. */
	denied?: string;
}

/** Reads a request; null for anything else. */
export function readReviewRequest(text: string): ReviewRequest | null {
	const { input, iteration, max, ms, denied } = parsedObject(text) ?? {};
	if (!isJson(input) || !isCount(iteration) || !isCount(max) || !isCount(ms)) return null;
	return { input, iteration, max, ms, ...(typeof denied === 'string' && { denied }) };
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** The review in the form of a held call, for a person to decide; null for an input that is not reviewed. */
export function heldReview(request: ReviewRequest, run: HookRun, ports: Pick<Ports, 'digest'>): DeniedCall | null {
	const read = adapterOf(run.agent).read(request.input);
	if (!read.ok) return null;
	const { hook } = read;
	const question = reviewedQuestion(hook);
	if (question === null) return null;
	const { event } = question;
	const { denied, iteration, max } = request;
	const denial: Denial = { gate: SUPERVISOR_GATE, rule: REVIEW_RULE, reason: denied ?? '', noGrant: true };
	return {
		...waitingCall(hook, question, run, ports),
		toolUseId: event === 'PreToolUse' ? hook.toolUseId : undefined,
		denials: denied === undefined ? [] : [denial],
		asksPerson: true,
		decision: reviewDecision({ allow_stop: false, feedback: denied ?? '' }),
		facts: { review: { event, iteration, max, isOver: denied !== undefined } },
		review: { event },
	};
}

function reviewedQuestion(hook: AgentHook): { event: string; tool: string; input: unknown } | null {
	if (hook.at === 'turn-end') return { event: 'Stop', tool: 'Stop', input: { said: hook.message ?? '' } };
	if (hook.at !== 'call' || hook.call.deed.does !== 'ask-person') return null;
	return { event: 'PreToolUse', tool: hook.call.tool, input: hook.call.input };
}
