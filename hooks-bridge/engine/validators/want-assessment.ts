import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import type { HookRun, WantedAssessment } from '../../ports/ports.ts';
import type { HookContext } from '../facts.ts';

/** A hook killed by its own timeout lets the call run: an answer must be there this much earlier. */
export const ASSESSMENT_MARGIN_SECONDS = 10;

/**
 * The judgement that only a model can make of a hook, where its gate is switched on: the start of a sub-agent that no gate
 * denies, or a task, todo or box that is about to be completed. `decision` is what the hook answers if nothing else is said.
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
		deferred: waits && context.ports.mayAssess?.(validator) === true,
		hook,
		run,
	};
}

/** Whether a model may have a say in this hook at all; costs no look at a file. */
export function mayBeAssessed(hook: AgentHook): boolean {
	return (hook.at === 'call' && spawnRequest(hook.call) !== null) || completionCall(hook) !== null;
}

function validatorFor(hook: AgentHook, gates: HookContext['settings']['gates']): WantedAssessment['validator'] | null {
	const spawns = gates.spawnValidator.enabled && hook.at === 'call' && spawnRequest(hook.call) !== null;
	if (spawns) return 'spawn';
	return gates.completionValidator.enabled && completionCall(hook) ? 'completion' : null;
}
