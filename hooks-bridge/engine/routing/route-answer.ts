import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/draft-event.ts';
import { joinDecisions } from '#lib/gates/hook-decision.ts';
import type { CompletionFacts } from '#lib/gates/routing-completion/completion-facts.ts';
import { completionDirective, routingCompletionGate } from '#lib/gates/routing-completion/routing-completion-gate.ts';
import { isJson } from '#lib/json/json.ts';
import { agentNameOf } from '#lib/routing/agent-name.ts';
import { buildPlan, needsNoPlan, readTaskFile } from '#lib/routing/build-plan.ts';
import { afterStop, isDriven, markTask, planRest, type TaskMark } from '#lib/routing/plan-progress.ts';
import { isActivePlan } from '#lib/routing/routing-state.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { printable } from '#lib/text/printable.ts';
import { planDraft } from '../plan-draft.ts';
import type { HookRun, Ports } from '../ports.ts';
import { type FoundPlan, findPlan, findSettings, PLAN_PATH } from '../project.ts';
import { seal } from '../seal.ts';

/** A hook in a project that may have a routing plan. */
export interface RouteCall {
	hook: AgentHook;
	run: HookRun;
	root: string;
	plan: FoundPlan;
	ports: Ports;
}

const TASKS_FOLDER = '.vibe-engine/tasks';

/**
 * What carries a routing plan through (seed 000, the hooks beside its validator): a plan is made of a task file, its
 * tasks are marked as their agents end, and the agent does not stop before it is done. `said` is what the hook answers
 * so far. A plan without a budget of retries is only judged by: its file stays as it is.
 */
export function routeAnswer(call: RouteCall, said: HookDecision | null): HookDecision | null {
	const { hook, root } = call;
	if (root === '') return null;
	switch (hook.at) {
		case 'agent-end':
			if (isStarted(call)) trackTask(call, agentNameOf(hook.agentType), { how: 'completed' });
			return null;
		case 'turn-failure':
			if (hook.agentId) trackTask(call, agentNameOf(hook.agentType), failure(hook.error));
			return null;
		case 'failure': {
			const { deed } = hook.call;
			if (deed.does === 'start-agent') trackTask(call, agentNameOf(deed.asked.type), failure(hook.error));
			return null;
		}
		case 'turn-end':
			return hook.agentId ? null : endRoute(call, hook, said);
		case 'prompt':
			return makePlan(call, hook.text);
		default:
			return null;
	}
}

/** Whether the agent that ends was told to have started; asked only where its end would mark a task. */
function isStarted({ hook: { sessionId, agentId }, plan: { found }, ports }: RouteCall): boolean {
	if (agentId === undefined || !found || !isDriven(found.text)) return true;
	return ports.flow.hasStarted(sessionId, agentId);
}

/** Marks the task of an agent in a plan that is carried through, and tells the plan's new content. */
export function trackTask(call: RouteCall, agent: string | null, mark: TaskMark): void {
	const { root, ports } = call;
	const found = (call.plan.found ?? findPlan(root, ports).found)?.text;
	if (agent === null || found === undefined || !isDriven(found)) return;
	const at = new Date(ports.now()).toISOString();
	edit(call, (text) => (text === null ? null : markTask(text, agent, mark, at)));
}

function failure(error: unknown): TaskMark {
	return { how: 'failed', error: typeof error === 'string' ? printable(error, 500) : 'unknown' };
}

function edit(call: RouteCall, change: (text: string | null) => string | null): boolean {
	const { hook, root, ports } = call;
	const changed = ports.editProjectFile(root, PLAN_PATH, change);
	if (changed) tell(call, planDraft(hook, findPlan(root, ports), ports));
	return changed;
}

function tell({ hook, run, ports }: RouteCall, drafts: DraftEvent[]): void {
	if (drafts.length > 0) ports.append(hook.sessionId, seal(drafts, hook, run, ports, 'route'));
}

/** The agent may not stop while tasks are open. */
function endRoute(call: RouteCall, hook: HookAt<'turn-end'>, said: HookDecision | null): HookDecision | null {
	const { root, plan, ports } = call;
	const text = plan.found?.text;
	if (text === undefined || !isActivePlan(plan.found?.plan ?? { status: '' })) return null;
	const settings: Settings = findSettings(root, ports);
	if (!(settings.gates.routingCompletion.enabled ?? isDriven(text))) return null;
	const rest = planRest(text);
	if (!rest) return null;
	const declared = (hook.message ?? '').includes(`[Routing Complete: ${rest.planId}]`);
	const facts: CompletionFacts = {
		...rest,
		running: hook.running?.length ?? 0,
		declared,
	};
	const { end, ...verdict } = routingCompletionGate(facts);
	if (end === null) return null;
	const at = new Date(ports.now()).toISOString();
	edit(call, (now) => (now === null ? null : afterStop(now, end, at)));
	const decision: HookDecision =
		end === 'retry'
			? { decision: 'deny', reason: completionDirective(facts) }
			: { decision: 'pass', message: `Signalbox: ${verdict.reason}; it is ${end}.` };
	tell(call, [{ type: 'gate:verdict', ...verdict, hook: hook.name, answer: joinDecisions(said, decision) }]);
	return decision;
}

/** A task file that is newer than what the plan was made of becomes the plan; an active plan of other origin stays. */
function makePlan(call: RouteCall, prompt: string): HookDecision | null {
	const { hook, root, plan, ports } = call;
	const newest = ports
		.listProjectFiles(root, TASKS_FOLDER)
		.find(({ name }) => /^task-[\w.-]{1,100}\.ya?ml$/.test(name));
	if (!newest || needsNoPlan(prompt)) return null;
	const taskFile = `${newest.name}@${newest.mtimeMs}`;
	const found = plan.found;
	if (found && (isActivePlan(found.plan) || madeOf(found.text) === taskFile)) return null;
	if (!findSettings(root, ports).gates.agentRouter.enabled) return null;
	const file = ports.readProjectFile(root, `${TASKS_FOLDER}/${newest.name}`);
	const tasks = file.ok ? readTaskFile(file.text) : null;
	if (!tasks) return null;
	const now = ports.now();
	const id = `${now.toString(36)}-${ports.digest(`${hook.sessionId}${taskFile}`).slice(0, 6)}`;
	const source = { id, at: new Date(now).toISOString(), taskFile, request: prompt };
	if (!edit(call, (text) => (text === (found?.text ?? null) ? buildPlan(tasks, source) : null))) return null;
	const lines = tasks.groups.map((group, at) => {
		const steps = group.map((task) => `${printable(task.agent, 60)} (${printable(task.description || task.id, 200)})`);
		return `${at + 1}. ${steps.join(' and, in parallel, ')}`;
	});
	const message = `Signalbox: the routing plan route-${id} was made of ${printable(newest.name, 100)}. Delegate:\n${lines.join('\n')}`;
	return { decision: 'pass', message, context: message };
}

function madeOf(text: string): unknown {
	try {
		const plan: unknown = JSON.parse(text);
		return isJson(plan) ? plan.taskFile : undefined;
	} catch {
		return undefined;
	}
}
