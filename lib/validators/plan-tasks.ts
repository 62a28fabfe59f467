import { isActivePlan, type RoutingPlan } from '../routing/routing-state.ts';
import type { Task, TaskStatus } from './task.ts';
import { namedFiles, priorityOf, writtenPriority } from './written-task.ts';

const statuses: ReadonlyMap<string, TaskStatus> = new Map([
	['completed', 'completed'],
	['executing', 'active'],
	['in_progress', 'active'],
	['cancelled', 'abandoned'],
	['skipped', 'abandoned'],
]);

/** The tasks of an active routing plan; none of any other. A task waits for all of the phases before its own. */
export function planTasks(plan: RoutingPlan): Task[] {
	if (!isActivePlan(plan)) return [];
	const before: string[] = [];
	const tasks: Task[] = [];
	for (const phase of plan.phases) {
		const blockedBy = [...before];
		for (const { id, agent, description = '', status, priority } of phase.tasks) {
			const relatedFiles = namedFiles(description);
			const task: Task = {
				id: `plan:${id ?? tasks.length + 1}`,
				description: description || agent,
				status: statuses.get(status) ?? 'waiting',
				priority: priorityOf(priority) ?? writtenPriority(description) ?? 'medium',
				...(blockedBy.length > 0 && { blockedBy }),
				...(relatedFiles.length > 0 && { relatedFiles }),
			};
			tasks.push(task);
			before.push(task.id);
		}
	}
	return tasks;
}
