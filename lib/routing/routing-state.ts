import type { PlanPhase } from '../contract/events/catalogue/judgement.ts';
import { defined, isJson, type Json, parsedJson } from '../json/json.ts';

/** The agent of a call that names none. */
export const GENERAL_AGENT = 'general-purpose';

/** The text after the last colon of a `subagent_type`, trimmed, in lower case, at most 200 characters. */
export function agentNameOf(subagentType: unknown): string | null {
	if (typeof subagentType !== 'string') return null;
	const name = subagentType
		.slice(subagentType.lastIndexOf(':') + 1)
		.trim()
		.toLowerCase()
		.slice(0, 200);
	return name === '' ? null : name;
}

export interface RoutingPlan {
	planId: string;
	status: string;
	phases: PlanPhase[];
	request?: string;
}

/** `reason` quotes nothing from the file. `lost`: why an earlier reading replaces a file that cannot be read now. */
export type PlanParse = { ok: true; plan: RoutingPlan; lost?: string } | { ok: false; reason: string };

const cutText = (value: unknown, max: number): string | undefined =>
	typeof value === 'string' ? value.slice(0, max) : undefined;

function readTask(task: unknown): PlanPhase['tasks'][number] | null {
	if (!isJson(task)) return null;
	const agent = cutText(task.agent, 200);
	if (!agent) return null;
	return {
		...defined({ id: cutText(task.id, 128) }),
		agent,
		...defined({ description: cutText(task.description, 2000) }),
		status: cutText(task.status, 64) ?? '',
		...defined({ priority: cutText(task.priority, 20) }),
	};
}

function readPhase(value: unknown): PlanPhase | null {
	if (!isJson(value)) return null;
	const tasks = Array.isArray(value.tasks) ? value.tasks.map(readTask).filter((task) => task !== null) : [];
	return typeof value.phase === 'number' ? { phase: value.phase, tasks } : { tasks };
}

/** Tolerant: wrong tasks and phases are left out; only a file without the shape of a plan is refused. */
export function parseRoutingState(json: string): PlanParse {
	const state = parsedJson(json.startsWith('\ufeff') ? json.slice(1) : json);
	if (state === undefined) return { ok: false, reason: 'it is not valid JSON' };
	if (!isJson(state)) return { ok: false, reason: 'it is not a JSON object' };
	if (!Array.isArray(state.phases)) return { ok: false, reason: 'it has no list of phases' };
	if (typeof state.status !== 'string') return { ok: false, reason: 'it has no status' };
	const request = cutText(state.originalRequest, 2000);
	return {
		ok: true,
		plan: {
			planId: cutText(state.planId, 200) ?? 'unknown',
			status: state.status.slice(0, 64),
			phases: state.phases.map(readPhase).filter((phase) => phase !== null),
			...(request !== undefined && { request }),
		},
	};
}

/** Only an active plan binds agents. */
export function isActivePlan(plan: Pick<RoutingPlan, 'status'>): boolean {
	return plan.status === 'pending' || plan.status === 'in_progress';
}

export function openTasks(plan: RoutingPlan): PlanPhase['tasks'] {
	return plan.phases
		.flatMap((phase) => phase.tasks)
		.filter((task) => task.status === 'pending' || task.status === 'executing');
}

/** The agents that the plan lets start now, each once. */
export function expectedAgents(plan: RoutingPlan): string[] {
	return [
		...new Set(
			openTasks(plan)
				.map((task) => agentNameOf(task.agent))
				.filter((name) => name !== null),
		),
	];
}

export type TaskMark = { how: 'executing' } | { how: 'completed' } | { how: 'failed'; error: string };

/** The objects of the file itself: changing one changes the plan. */
function tasksOf(plan: Json): Json[] {
	const phases = Array.isArray(plan.phases) ? plan.phases : [];
	return phases.flatMap((phase) => {
		const tasks = isJson(phase) ? phase.tasks : undefined;
		return Array.isArray(tasks) ? tasks.filter(isJson) : [];
	});
}

function planIn(text: string): Json | null {
	const plan = parsedJson(text.replace(/^\ufeff/, ''));
	return isJson(plan) && Array.isArray(plan.phases) && typeof plan.status === 'string' ? plan : null;
}

/** A plan with a budget of retries is updated; any other is only used to judge. */
export function isDriven(text: string): boolean {
	return typeof planIn(text)?.maxRetries === 'number';
}

const textOf = (plan: Json): string => `${JSON.stringify(plan, null, 2)}\n`;

/**
 * The plan's text with the agent's executing task, else its first pending one, marked. Null without such a task, or if inactive.
 */
export function markTask(text: string, agent: string, mark: TaskMark, at: string): string | null {
	const plan = planIn(text);
	if (!plan || !isActivePlan({ status: String(plan.status) })) return null;
	const own = tasksOf(plan).filter((task) => agentNameOf(task.agent) === agent);
	const pending = own.find((task) => task.status === 'pending');
	const task = mark.how === 'executing' ? pending : (own.find((one) => one.status === 'executing') ?? pending);
	if (!task) return null;
	task.status = mark.how;
	if (mark.how === 'executing') task.startedAt = at;
	else task.completedAt = at;
	if (mark.how === 'failed') task.error = mark.error;
	plan.updatedAt = at;
	return textOf(countTasks(plan));
}

function countTasks(plan: Json): Json {
	const tasks = tasksOf(plan);
	const count = (status: string): number => tasks.filter((task) => task.status === status).length;
	plan.completedCount = count('completed');
	plan.failedCount = count('failed');
	plan.status = 'in_progress';
	if (count('pending') + count('executing') > 0) return plan;
	plan.status = plan.failedCount === 0 ? 'completed' : 'failed';
	if (plan.failedCount !== 0) plan.failReason = `${count('failed')} of ${tasks.length} tasks failed`;
	return plan;
}

export interface PlanRest {
	planId: string;
	open: string[];
	retry: number;
	maxRetries: number;
}

/** What is left to do in an active plan; null for any other text. */
export function planRest(text: string): PlanRest | null {
	const plan = planIn(text);
	if (!plan || !isActivePlan({ status: String(plan.status) })) return null;
	const open = tasksOf(plan).filter((task) => task.status === 'pending' || task.status === 'executing');
	const countOr = (value: unknown, other: number): number =>
		Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : other;
	return {
		planId: typeof plan.planId === 'string' ? plan.planId.slice(0, 200) : 'unknown',
		open: open.map((task) => `${String(task.agent)}: ${String(task.description ?? '')}`.slice(0, 300)),
		retry: countOr(plan.currentRetry, 0),
		maxRetries: countOr(plan.maxRetries, 3),
	};
}

/** The plan's text once a stop was judged: sent back to its open tasks (`retry`), or over. Null if unreadable; `at` is ISO. */
export function afterStop(text: string, end: 'retry' | 'completed' | 'failed', at: string): string | null {
	const plan = planIn(text);
	if (!plan) return null;
	const { currentRetry } = plan;
	plan.updatedAt = at;
	if (end !== 'completed') plan.currentRetry = (Number.isSafeInteger(currentRetry) ? Number(currentRetry) : 0) + 1;
	if (end !== 'retry') plan.status = end;
	if (end === 'failed') plan.failReason = 'tasks were still open after the last retry';
	return textOf(plan);
}

const AUTO_FIX_MS = 5 * 60 * 1000;

/**
 * Whether vibe-engine repairs something by itself: fewer than three iterations, begun in the last five minutes. A start in the
 * future would never be over, so it does not count.
 */
export function isAutoFix(text: string, now: number): boolean {
	try {
		const { active, iteration, startedAt, timestamp } = JSON.parse(text) as Record<string, unknown>;
		const since = startedAt ?? timestamp;
		const at = typeof since === 'number' ? since : Date.parse(String(since));
		const age = now - at;
		return active === true && Number(iteration) < 3 && age >= 0 && age < AUTO_FIX_MS;
	} catch {
		return false;
	}
}
