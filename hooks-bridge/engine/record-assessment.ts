import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { COMPLETION_VALIDATOR_GATE, SPAWN_GATE } from '#lib/contract/events/event-labels.ts';
import { joinDecisions } from '#lib/gates/gate.ts';
import { withFingerprint } from '#lib/gates/gate-table.ts';
import type { Json } from '#lib/json/json.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { DeniedCall, WantedAssessment } from '../ports/denied-call.ts';
import type { Ports } from '../ports/ports.ts';
import { isHeld, startAgent, waitingCall } from './decide-call.ts';
import { contentId } from './draft-events.ts';
import { createHookContext, type HookContext } from './facts.ts';
import { commitRuling } from './record.ts';

/** The result of a validator for a wanted assessment. */
export interface AssessmentOutcome {
	decision: 'deny' | 'pass';
	rule: string;
	reason: string;
	/** For the agent, instead of the call or beside it. */
	message?: string;
	assessment: Omit<FieldsOf<'validator:assessment'>, 'validator' | 'allowed'>;
}

/** What the waiting hook prints, and the denial that may continue to wait for a person. */
export interface AssessmentAnswer {
	output: Json | null;
	held?: DeniedCall;
}

/**
 * Records an assessment and turns it into the hook's output: verdict, assessment and, if a start may go on, what it means. Throws
 * if nothing can be written.
 */
export function recordAssessment(wanted: WantedAssessment, outcome: AssessmentOutcome, ports: Ports): AssessmentAnswer {
	const { hook, validator, run, hookWaits } = wanted;
	const { sessionId } = hook;
	const gate = validator === 'spawn' ? SPAWN_GATE : COMPLETION_VALIDATOR_GATE;
	const denied = outcome.decision === 'deny';
	const decision = denied ? denial(hook, outcome) : joinDecisions(wanted.decision, beside(hook, outcome.message));
	const { rule, reason, assessment } = outcome;
	const assessmentId = contentId(ports, ['assessment', sessionId, run.requestId, hook.toolUseId ?? '', validator]);
	const { subject, rating, fallback } = assessment;
	const call = hook.at === 'call' ? hook.call : undefined;
	const agent = validator === 'spawn' && call ? spawnRequest(call)?.role : undefined;
	const facts = { assessmentId, project: wanted.root, ...(agent && { agent }), subject, rating, fallback };
	const answered = hookWaits && decision !== null ? { answer: decision } : {};
	const form = denied && call ? { form: 'deny' as const } : {};
	const verdict = { gate, decision: outcome.decision, rule, reason, facts };
	const drafts = [
		{ type: 'validator:assessment' as const, id: assessmentId, validator: gate, allowed: !denied, ...assessment },
		{ type: 'gate:verdict' as const, ...verdict, hook: hook.name, ...form, ...answered },
	];
	const context = createHookContext(hook, run, wanted.root, ports);
	const starts = validator === 'spawn' && hookWaits && !denied && call;
	const { events = [], effects = [] } = (starts && startAgent(call.deed, context)) || {};
	const ruling = { events: [...drafts, ...events], effects };
	commitRuling({ hook, run, root: wanted.root, ports }, ruling, 'assessment');
	const held = denied && call ? holdAssessment(wanted, call, decision, verdict, context) : undefined;
	return { output: adapterOf(hook.agent).print(decision, hook), ...(held && { held }) };
}

function denial({ at }: AgentHook, { reason, message = reason }: AssessmentOutcome): HookDecision {
	return { decision: 'deny', reason: message, ...(at === 'call' && { message: `Signalbox: ${message}` }) };
}

function beside({ at }: AgentHook, message: string | undefined): HookDecision | null {
	if (message === undefined) return null;
	return { decision: 'pass', ...(at === 'call' ? { context: message } : { message }) };
}

/** Only a call of a tool can be released later. */
function holdAssessment(
	{ hook, run }: WantedAssessment,
	call: ToolCall,
	decision: HookDecision | null,
	verdict: Parameters<typeof withFingerprint>[0],
	{ settings, ports }: HookContext,
): DeniedCall {
	return {
		...waitingCall(hook, call, run, ports),
		denials: [withFingerprint(verdict)],
		asksPerson: isHeld(verdict.gate, settings.gates),
		decision,
		facts: verdict.facts,
	};
}
