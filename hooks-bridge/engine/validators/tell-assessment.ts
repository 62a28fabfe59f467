import type { FieldsOf } from '#lib/contract/event.ts';
import { withFingerprint } from '#lib/grants/covers.ts';
import { agentNameOf, isSubagentTool } from '#lib/routing/agent-name.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { COMPLETION_VALIDATOR_GATE, SPAWN_GATE } from '#lib/validators/validator-gates.ts';
import { isJson } from '../../agents/claude-code/json.ts';
import { addContext, denyCall, type HookOutput, joinOutputs } from '../../agents/claude-code/outputs.ts';
import { type HookInput, readInput } from '../../agents/claude-code/read-input.ts';
import { contentId } from '../event-ids.ts';
import { digestOfCall } from '../hold-call.ts';
import type { HeldCall, Ports, WantedAssessment } from '../ports.ts';
import { findPlan, findSettings } from '../project.ts';
import { trackTask } from '../routing/route-answer.ts';
import { seal } from '../seal.ts';
import { startDrafts } from '../workflow/start-drafts.ts';

/** What a validator says of a wanted assessment. */
export interface AssessmentSaid {
	decision: 'deny' | 'pass';
	rule: string;
	reason: string;
	/** For the agent: instead of the call, or beside it. */
	message?: string;
	assessment: Omit<FieldsOf<'validator:assessment'>, 'validator' | 'allowed'>;
}

/** What the waiting hook prints, and the denial that may go on waiting for a person. */
export interface AssessmentTold {
	output: HookOutput;
	held?: HeldCall;
}

/**
 * Tells an assessment and turns it into the hook's output: a verdict, the assessment itself, and of a start that goes
 * on what it means (DESIGN 6: not before the decision). Throws when nothing can be written.
 */
export function tellAssessment(wanted: WantedAssessment, said: AssessmentSaid, ports: Ports): AssessmentTold {
	const read = readInput(wanted.hookInput);
	if (!read.ok) return { output: wanted.output };
	const { input } = read;
	const { validator, sessionId, run, deferred } = wanted;
	const gate = validator === 'spawn' ? SPAWN_GATE : COMPLETION_VALIDATOR_GATE;
	const denied = said.decision === 'deny';
	const output = denied ? denial(input, said) : joinOutputs(wanted.output, beside(input, said.message));
	const { decision, rule, reason, assessment } = said;
	const assessmentId = contentId(ports, ['assessment', sessionId, run.requestId, input.toolUseId ?? '', validator]);
	const { subject, rating, fallback } = assessment;
	const { tool_name: tool, tool_input: toolInput } = input.fields;
	const agent = validator === 'spawn' ? spawnRequest(tool, toolInput)?.role : undefined;
	const facts = { assessmentId, project: wanted.root, ...(agent && { agent }), subject, rating, fallback };
	const printed = deferred && output !== null ? { output } : {};
	const form = denied && input.hook === 'PreToolUse' ? { form: 'deny' as const } : {};
	const drafts = [
		{ type: 'validator:assessment' as const, id: assessmentId, validator: gate, allowed: !denied, ...assessment },
		{ type: 'gate:verdict' as const, gate, decision, rule, reason, facts, hook: input.hook, ...form, ...printed },
	];
	const starts = validator === 'spawn' && deferred && !denied && isSubagentTool(tool);
	const workflow = starts && ports.flow.has(sessionId) ? ports.flow.read(sessionId).workflow : null;
	const effects = starts ? startDrafts(toolInput, workflow) : [];
	ports.append(sessionId, seal([...drafts, ...effects], input, run, ports, 'assessment'));
	if (starts) track(wanted, input, ports);
	const held =
		denied && output ? holdAssessment(wanted, input, output, { gate, rule, reason }, facts, ports) : undefined;
	return { output, ...(held && { held }) };
}

function denial(input: HookInput, { reason, message = reason }: AssessmentSaid): HookOutput {
	// The client's TaskCompleted has no permission to deny; a block keeps the task open and the model reads why.
	if (input.hook !== 'PreToolUse') return { decision: 'block', reason: message };
	return denyCall('deny', message, `Signalbox: ${message}`);
}

function beside({ hook }: HookInput, message: string | undefined): HookOutput {
	if (message === undefined) return null;
	return hook === 'PreToolUse' ? addContext(hook, message) : { systemMessage: message };
}

/** Only a call of a tool can be released later. */
function holdAssessment(
	{ agentId, toolUseId, sessionId, root, run, hookInput }: WantedAssessment,
	{ hook, fields, cwd }: HookInput,
	output: Record<string, unknown>,
	denial: Omit<HeldCall['denials'][number], 'fingerprint' | 'words'>,
	facts: Record<string, unknown>,
	ports: Ports,
): HeldCall | undefined {
	const { gates } = findSettings(root, ports);
	const { hold } = denial.gate === SPAWN_GATE ? gates.spawnValidator : gates.completionValidator;
	const { tool_name: tool, tool_input: toolInput = null } = fields;
	if (hook !== 'PreToolUse' || typeof tool !== 'string') return undefined;
	return {
		sessionId,
		agentId,
		toolUseId,
		tool,
		input: toolInput,
		inputDigest: digestOfCall(tool, toolInput, ports, cwd),
		denials: [withFingerprint({ ...denial, facts })],
		mayWait: hold,
		output,
		form: 'deny',
		facts,
		hookInput,
		run,
	};
}

function track({ root, run }: WantedAssessment, input: HookInput, ports: Ports): void {
	trackTask({ input, run, root, plan: findPlan(root, ports), ports }, calledAgent(input), { how: 'executing' });
}

function calledAgent({ fields: { tool_input: toolInput } }: HookInput): string | null {
	return isJson(toolInput) ? agentNameOf(toolInput.subagent_type) : null;
}
