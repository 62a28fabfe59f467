import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import type { HookRun, WantedAssessment } from '../../ports/ports.ts';
import type { HookContext } from '../facts.ts';

/** A hook killed by its own timeout lets the call run: an answer must arrive this much earlier. */
export const ASSESSMENT_MARGIN_SECONDS = 10;

/**
 * The judgement that only a model can make of a hook, if its gate is switched on: the start of a sub-agent that no gate denies,
 * or a task, todo or box that is about to be completed. `decision` is the hook's answer if the model gives none.
 */
export function wantAssessment(
	hook: AgentHook,
	run: HookRun,
	context: HookContext,
	decision: HookDecision | null,
): WantedAssessment | undefined {
	const validator = validatorFor(hook, context.settings.gates);
	if (validator === null) return undefined;
	const waits = (run.timeoutSeconds ?? 0) > ASSESSMENT_MARGIN_SECONDS;
	return {
		validator,
		root: context.project,
		decision,
		hookWaits: waits && context.ports.mayAssess?.(validator) === true,
		hook,
		run,
	};
}

/** Whether a model may be asked about this hook at all, decided without reading a file. */
export function mayBeAssessed(hook: AgentHook): boolean {
	return (hook.at === 'call' && spawnRequest(hook.call) !== null) || completionCall(hook) !== null;
}

function validatorFor(hook: AgentHook, gates: HookContext['settings']['gates']): WantedAssessment['validator'] | null {
	const spawns = gates.spawnValidator.enabled && hook.at === 'call' && spawnRequest(hook.call) !== null;
	if (spawns) return 'spawn';
	return gates.completionValidator.enabled && completionCall(hook) ? 'completion' : null;
}
