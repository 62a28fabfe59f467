import type { PlanPhase } from '../contract/events/catalogue/judgement.ts';
import { agentNameOf } from './agent-name.ts';

/** A routing plan as the project's file has it. Agents keep the spelling of the file. */
export interface RoutingPlan {
	planId: string;
	status: string;
	phases: PlanPhase[];
	/** What the person asked for, where the file says so. */
	request?: string;
}

/**
 * How reading a plan ended; `reason` is for a person and quotes nothing from the file. `lost` is why a plan that was read
 * before stands for a file that cannot be read now.
 */
export type PlanParse = { ok: true; plan: RoutingPlan; lost?: string } | { ok: false; reason: string };

const record = (value: unknown): Record<string, unknown> | null =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
const text = (value: unknown, max: number): string | undefined =>
	typeof value === 'string' ? value.slice(0, max) : undefined;

function readTask(value: unknown): PlanPhase['tasks'][number] | null {
	const task = record(value);
	const agent = text(task?.agent, 200);
	if (!task || !agent) return null;
	return {
		...(text(task.id, 128) !== undefined && { id: text(task.id, 128) }),
		agent,
		...(text(task.description, 2000) !== undefined && { description: text(task.description, 2000) }),
		status: text(task.status, 64) ?? '',
		...(text(task.priority, 20) !== undefined && { priority: text(task.priority, 20) }),
	};
}

function readPhase(value: unknown): PlanPhase | null {
	const phase = record(value);
	if (!phase) return null;
	const tasks = Array.isArray(phase.tasks) ? phase.tasks.map(readTask).filter((task) => task !== null) : [];
	return typeof phase.phase === 'number' ? { phase: phase.phase, tasks } : { tasks };
}

/**
 * Reads the content of `.vibe-engine/routing-state.json` (seed 000). Tolerant: tasks and phases that are
 * not what they should be are left out; only a file without the shape of a plan is refused, with its reason.
 */
export function parseRoutingState(json: string): PlanParse {
	let value: unknown;
	try {
		value = JSON.parse(json.startsWith('\ufeff') ? json.slice(1) : json);
	} catch {
		return { ok: false, reason: 'it is not valid JSON' };
	}
	const state = record(value);
	if (!state) return { ok: false, reason: 'it is not a JSON object' };
	if (!Array.isArray(state.phases)) return { ok: false, reason: 'it has no list of phases' };
	if (typeof state.status !== 'string') return { ok: false, reason: 'it has no status' };
	const request = text(state.originalRequest, 2000);
	return {
		ok: true,
		plan: {
			planId: text(state.planId, 200) ?? 'unknown',
			status: state.status.slice(0, 64),
			phases: state.phases.map(readPhase).filter((phase) => phase !== null),
			...(request !== undefined && { request }),
		},
	};
}

/** Whether a plan binds the agent: only `pending` and `in_progress` do (seed 000). */
export function isActivePlan(plan: Pick<RoutingPlan, 'status'>): boolean {
	return plan.status === 'pending' || plan.status === 'in_progress';
}

/** All pending or executing tasks over all phases, in file order (seed 000). */
export function openTasks(plan: RoutingPlan): PlanPhase['tasks'] {
	return plan.phases
		.flatMap((phase) => phase.tasks)
		.filter((task) => task.status === 'pending' || task.status === 'executing');
}

/** The agents of all open tasks, in file order, each once (seed 000). */
export function expectedAgents(plan: RoutingPlan): string[] {
	return [
		...new Set(
			openTasks(plan)
				.map((task) => agentNameOf(task.agent))
				.filter((name) => name !== null),
		),
	];
}
