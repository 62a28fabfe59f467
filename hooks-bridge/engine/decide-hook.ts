import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { DeedKind } from '#lib/agents/tool-call.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import { isJudged, mayBeJudged } from '#lib/gates/judge-hook.ts';
import type { HookRun, ReadPorts } from '../ports/ports.ts';
import { decideCall, decideEnd } from './decide-call.ts';
import { draftPlan, draftStranger, tellsPlan } from './draft-events.ts';
import { contentId } from './event-ids.ts';
import type { HookContext } from './facts.ts';
import { holdPermission } from './hold-permission.ts';
import { decideRoute } from './routing/decide-route.ts';
import { joinRulings, planTakesPart, type Ruling, tellOnly, workflowTakesPart } from './ruling.ts';
import { mayBeAssessed, wantAssessment } from './validators/want-assessment.ts';
import { decideFlow } from './workflow/decide-flow.ts';

/**
 * What a hook comes to: its answer, its events and its effects. Looks, and changes nothing. `told` is what the hook itself
 * says has happened.
 */
export function decideHook(hook: AgentHook, run: HookRun, context: HookContext, drafts: readonly DraftEvent[]): Ruling {
	const warned = [...draftWarnings(hook, run, context.sight), ...draftStranger(hook, context.sight)];
	// A reviewer's session is recorded and its calls are judged, but nobody sends the reviewer on or guides it.
	if (run.isReviewer && hook.at !== 'call') return tellOnly([...drafts, ...warned]);
	const beside = [...warned, ...(tellsPlan(hook) ? draftPlan(hook, context.foundPlan(), context.sight) : [])];
	if (hook.at === 'call') {
		const began = context.sight.now();
		const isOutside = !mayBeJudged(hook) && !isAssessable(hook);
		const happened = tellOnly([...drafts, ...beside, ...(isOutside ? [] : draftProblems(hook, context))]);
		return isOutside || isPlain(hook, run, context)
			? happened
			: joinRulings(happened, decideCall(hook, run, context, began));
	}
	const judged = hook.at !== 'turn-end' && mayBeJudged(hook) ? decideEnd(hook, context) : tellOnly([]);
	const flowing = workflowTakesPart(hook, context)
		? decideFlow({ hook, told: drafts, world: context })
		: tellOnly(drafts);
	const decided = joinRulings(joinRulings(flowing, tellOnly(beside)), judged);
	const held = hook.at === 'permission' ? holdPermission(hook, run, context) : undefined;
	if (held) return { ...decided, held };
	const ruling = planTakesPart(hook) ? joinRulings(decided, decideRoute(hook, context)) : decided;
	const assess = isAssessable(hook) ? wantAssessment(hook, run, context, ruling.decision) : undefined;
	return { ...ruling, ...(assess && { assess }) };
}

/** What calls do that a model may have a say in. */
const ASSESSED: readonly DeedKind[] = ['start-agent', 'run-shell', 'complete-task', 'update-todos', 'edit-file'];

/** Whether a model may have a say in a hook; by its point and deed alone for nearly every one. */
function isAssessable(hook: AgentHook): boolean {
	const mayBe = hook.at === 'call' ? ASSESSED.includes(hook.call.deed.does) : hook.at === 'task-end';
	return mayBe && mayBeAssessed(hook);
}

/** Whether nothing can be said of a call, and so none of the engine is needed: a closed hook alone may be blind. */
function isPlain(hook: HookAt<'call'>, { profile }: HookRun, context: HookContext): boolean {
	if (hook.call.deed.does === 'start-agent' || profile === 'closed' || isAssessable(hook)) return false;
	return !isJudged(hook, context);
}

/** What is wrong with the settings, once a session. */
function draftProblems({ sessionId }: AgentHook, { settings, sight: ports }: HookContext): DraftEvent[] {
	return settings.problems.flatMap((message): DraftEvent[] => {
		const id = contentId(ports, ['settings', sessionId, message]);
		if (ports.recorded(sessionId, [id])) return [];
		return [{ type: 'system:warning', id, code: 'settings/ignored', message }];
	});
}

/** What is odd about the input or its environment. The environment's oddity is told once a session, not on every call. */
function draftWarnings({ sessionId, warning }: AgentHook, { dropped = [] }: HookRun, ports: ReadPorts): DraftEvent[] {
	const drafts: DraftEvent[] = warning ? [{ type: 'system:warning', ...warning }] : [];
	const names = dropped.join(', ').slice(0, 500);
	if (names === '') return drafts;
	const id = contentId(ports, ['dropped', sessionId, names]);
	if (ports.recorded(sessionId, [id])) return drafts;
	const message = `Environment values were left out because they hold control bytes or are too long: ${names}`;
	return [...drafts, { type: 'system:warning', id, code: 'hook/dropped-environment', message }];
}
