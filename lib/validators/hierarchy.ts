import type { Task, TaskStatus } from './task.ts';

const marks: Record<TaskStatus, string> = {
	completed: '[x]',
	active: '[>]',
	blocked: '[!]',
	waiting: '[ ]',
	abandoned: '[-]',
};
const DEEPEST = 20;

/**
 * The tree of parents and subtasks, one line a task, indented by two spaces a level. Every task stands in it exactly
 * once: one whose parent is unknown stands at the top, and a circle of parents is entered at its first task.
 */
export function taskHierarchy(tasks: readonly Task[]): string[] {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const children = new Map<string, Task[]>();
	for (const task of byId.values()) {
		if (task.parentId === undefined || task.parentId === task.id || !byId.has(task.parentId)) continue;
		children.set(task.parentId, [...(children.get(task.parentId) ?? []), task]);
	}
	const seen = new Set<string>();
	const lines: string[] = [];
	const enter = (from: Task) => {
		const ahead: { task: Task; depth: number }[] = [{ task: from, depth: 0 }];
		for (let at = ahead.pop(); at; at = ahead.pop()) {
			const { task, depth } = at;
			if (seen.has(task.id)) continue;
			seen.add(task.id);
			lines.push(`${'  '.repeat(Math.min(depth, DEEPEST))}${lineOf(task, byId)}`);
			const below = children.get(task.id) ?? [];
			for (const child of below.toReversed()) ahead.push({ task: child, depth: depth + 1 });
		}
	};
	for (const task of byId.values()) if (!isBelow(task, byId)) enter(task);
	for (const task of byId.values()) enter(task);
	return lines;
}

const isBelow = (task: Task, byId: ReadonlyMap<string, Task>) =>
	task.parentId !== undefined && task.parentId !== task.id && byId.has(task.parentId);

function lineOf({ id, description, status, parentId }: Task, byId: ReadonlyMap<string, Task>): string {
	const orphan = parentId !== undefined && !byId.has(parentId) ? ' (its parent is unknown)' : '';
	return `${marks[status]} ${id}: ${description}${orphan}`;
}
