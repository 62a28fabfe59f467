import { agentNameOf } from './agent-name.ts';
import { isActivePlan } from './routing-state.ts';

type Json = Record<string, unknown>;

/** How a task of the plan went on. */
export type TaskMark = { how: 'executing' } | { how: 'completed' } | { how: 'failed'; error: string };

const record = (value: unknown): Json | null =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

/** The tasks of a plan over all phases, as the file has them; changes of theirs are changes of the plan. */
function tasksOf(plan: Json): Json[] {
	const phases = Array.isArray(plan.phases) ? plan.phases : [];
	return phases.flatMap((phase) => {
		const tasks = record(phase)?.tasks;
		return Array.isArray(tasks) ? tasks.map(record).filter((task) => task !== null) : [];
	});
}

/** The plan in a routing-state.json, all fields kept; null for a file that is none. */
function planIn(text: string): Json | null {
	try {
		const plan = record(JSON.parse(text.replace(/^\ufeff/, '')));
		return plan && Array.isArray(plan.phases) && typeof plan.status === 'string' ? plan : null;
	} catch {
		return null;
	}
}

/**
 * Whether a plan asks to be carried through: one with a budget of retries, as vibe-engine writes it. A plan without it
 * is only judged by, never written to, unless the settings say otherwise.
 */
export function isDriven(text: string): boolean {
	return typeof planIn(text)?.maxRetries === 'number';
}

const write = (plan: Json): string => `${JSON.stringify(plan, null, 2)}\n`;

/**
 * The plan's text after an agent began or ended its task: the first that executes, else the first that is pending. Null
 * when the plan is not active or has no such task. Counts follow; a plan whose last task ended is over itself.
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
	return write(countTasks(plan));
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

/** What a stop of the agent finds in a plan. */
export interface PlanRest {
	planId: string;
	/** Open tasks as `agent: description`. */
	open: string[];
	/** How often a stop was refused before. */
	retry: number;
	maxRetries: number;
}

/** The open tasks of an active plan; null for any other. */
export function planRest(text: string): PlanRest | null {
	const plan = planIn(text);
	if (!plan || !isActivePlan({ status: String(plan.status) })) return null;
	const open = tasksOf(plan).filter((task) => task.status === 'pending' || task.status === 'executing');
	const whole = (value: unknown, other: number): number =>
		Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : other;
	return {
		planId: typeof plan.planId === 'string' ? plan.planId.slice(0, 200) : 'unknown',
		open: open.map((task) => `${String(task.agent)}: ${String(task.description ?? '')}`.slice(0, 300)),
		retry: whole(plan.currentRetry, 0),
		maxRetries: whole(plan.maxRetries, 3),
	};
}

/** The plan's text after a stop: refused once more, over, or given up. Null for a file that is no plan. */
export function afterStop(text: string, end: 'retry' | 'completed' | 'failed', at: string): string | null {
	const plan = planIn(text);
	if (!plan) return null;
	const { currentRetry } = plan;
	plan.updatedAt = at;
	if (end !== 'completed') plan.currentRetry = (Number.isSafeInteger(currentRetry) ? Number(currentRetry) : 0) + 1;
	if (end !== 'retry') plan.status = end;
	if (end === 'failed') plan.failReason = 'tasks were still open after the last retry';
	return write(plan);
}
