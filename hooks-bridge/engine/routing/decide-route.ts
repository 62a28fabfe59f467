import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { CompletionFacts } from '#lib/gates/gate.ts';
import { parsedObject } from '#lib/json/json.ts';
import { buildPlan, needsNoPlan, readTaskFile, type TaskFile } from '#lib/routing/build-plan.ts';
import { agentNameOf, isActivePlan, isDriven, planRest, type TaskMark } from '#lib/routing/routing-state.ts';
import { printable } from '#lib/text/printable.ts';
import type { HookContext } from '../facts.ts';
import type { Effect } from '../perform-effects.ts';
import { eventsOnly, type Ruling } from '../record.ts';

const TASKS_FOLDER = '.vibe-engine/tasks';

/**
 * Carries out a routing plan (seed 000): makes it from a task file, and marks its tasks as agents end. A plan without retries is
 * never changed.
 */
export function decideRoute(hook: AgentHook, context: HookContext): Ruling {
	const effects = marksOf(hook, context);
	const made = hook.at === 'prompt' ? makePlan(hook, context) : [];
	return { ...eventsOnly([]), effects: [...effects, ...made] };
}

function marksOf(hook: AgentHook, context: HookContext): Effect[] {
	switch (hook.at) {
		case 'agent-end': {
			const { sessionId, agentId, agentType } = hook;
			const marks = markTask(context, agentType, { how: 'completed' });
			// Ignore the end of an agent that never started.
			const isKnown = marks.length === 0 || agentId === undefined || context.ports.flow.hasStarted(sessionId, agentId);
			return isKnown ? marks : [];
		}
		case 'turn-failure':
			return hook.agentId ? markTask(context, hook.agentType, failure(hook.error)) : [];
		case 'failure': {
			const { deed } = hook.call;
			return deed.does === 'start-agent' ? markTask(context, deed.requestedAgent.type, failure(hook.error)) : [];
		}
		default:
			return [];
	}
}

/** Marks the task of an agent in a driven plan. */
export function markTask(context: HookContext, agentType: string | null | undefined, mark: TaskMark): Effect[] {
	const agent = agentNameOf(agentType);
	const found = context.foundPlan().found?.text;
	return agent === null || found === undefined || !isDriven(found) ? [] : [{ does: 'mark-task', agent, mark }];
}

function failure(error: unknown): TaskMark {
	return { how: 'failed', error: typeof error === 'string' ? printable(error, 500) : 'unknown' };
}

/** The open tasks of an active plan when the main agent wants to stop, if the plan decides about that; otherwise null. */
export function findPlanRest(hook: HookAt<'turn-end'>, context: HookContext): CompletionFacts | null {
	const { found } = context.foundPlan();
	if (!found || !isActivePlan(found.plan)) return null;
	if (!(context.settings.gates.routingCompletion.enabled ?? isDriven(found.text))) return null;
	const rest = planRest(found.text);
	if (!rest) return null;
	const declared = (hook.message ?? '').includes(`[Routing Complete: ${rest.planId}]`);
	return { ...rest, running: hook.running?.length ?? 0, declared };
}

/** A task file newer than the plan's source becomes the plan; an active plan of other origin is not replaced. */
function makePlan({ sessionId, text: prompt }: HookAt<'prompt'>, context: HookContext): Effect[] {
	const { project: root, ports } = context;
	const isTaskFile = ({ name }: { name: string }): boolean => /^task-[\w.-]{1,100}\.ya?ml$/.test(name);
	const newest = root === '' ? undefined : ports.listProjectFiles(root, TASKS_FOLDER).find(isTaskFile);
	if (!newest || needsNoPlan(prompt)) return [];
	const taskFile = `${newest.name}@${newest.mtimeMs}`;
	const { found } = context.foundPlan();
	if (found && (isActivePlan(found.plan) || parsedObject(found.text)?.taskFile === taskFile)) return [];
	if (!context.settings.gates.agentRouter.enabled) return [];
	const file = ports.readProjectFile(root, `${TASKS_FOLDER}/${newest.name}`);
	const tasks = file.ok ? readTaskFile(file.text) : null;
	if (!tasks) return [];
	const now = ports.now();
	const id = `${now.toString(36)}-${ports.digest(`${sessionId}${taskFile}`).slice(0, 6)}`;
	const text = buildPlan(tasks, { id, at: new Date(now).toISOString(), taskFile, request: prompt });
	return [{ does: 'make-plan', replaces: found?.text ?? null, text, answer: taskMessage(tasks, id, newest.name) }];
}

/** The tasks that the agent is to delegate, once its plan is made. */
function taskMessage({ groups }: TaskFile, id: string, name: string): HookDecision {
	const lines = groups.map((group, index) => {
		const steps = group.map((task) => `${printable(task.agent, 60)} (${printable(task.description || task.id, 200)})`);
		return `${index + 1}. ${steps.join(' and, in parallel, ')}`;
	});
	const message = `Signalbox: the routing plan route-${id} was made of ${printable(name, 100)}. Delegate:\n${lines.join('\n')}`;
	return { decision: 'pass', message, context: message };
}
