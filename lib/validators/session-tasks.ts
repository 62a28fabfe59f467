import { isKnown, type KnownEvent } from '../contract/event.ts';
import type { IndexedEvent } from '../session/view.ts';
import type { Task, TaskStatus } from './task.ts';

/** The tasks of a session, as its events tell them. */
export interface SessionTasks {
	/** The client's own tasks (TaskCreate, TaskUpdate), by its ids. */
	tasks: Task[];
	/** The last todo list of each actor; the main agent's under the empty name. */
	todos: Map<string, Task[]>;
	/** Files that were written since the last completion. */
	files: string[];
}

type Json = Record<string, unknown>;
const jsonOf = (value: unknown): Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const listOf = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The client's and the todo list's words for what a task is doing. */
export function taskStatusOf(status: unknown): TaskStatus {
	switch (status) {
		case 'in_progress':
			return 'active';
		case 'completed':
			return 'completed';
		case 'deleted':
		case 'cancelled':
			return 'abandoned';
		default:
			return 'waiting';
	}
}

/** Todos as tasks; a todo has no id of its own, so its place and text are it. */
export function todoTasks(todos: readonly unknown[]): Task[] {
	return todos.slice(0, 200).flatMap((todo, at): Task[] => {
		const { content, status } = jsonOf(todo);
		const description = filled(content)?.slice(0, 2000);
		return description === undefined
			? []
			: [{ id: `todo:${at + 1}`, description, status: taskStatusOf(status), priority: 'medium' }];
	});
}

const WRITERS: readonly string[] = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];

/** Reads the tasks of a session out of its events, oldest first. Total: what does not fit is passed over. */
export function sessionTasks(events: readonly IndexedEvent[]): SessionTasks {
	const inputs = new Map<string, Json>();
	const tasks = new Map<string, Task>();
	const todos = new Map<string, Task[]>();
	const files = new Set<string>();
	const onTaskUpdate = (input: Json, response: Json) => {
		const task = tasks.get(filled(input.taskId) ?? '');
		if (!task || response.success === false) return;
		const completes = input.status === 'completed';
		tasks.set(task.id, { ...updated(task, input), ...(completes && { filesModified: [...files] }) });
		if (completes) files.clear();
	};
	const onResult = ({ tool, toolUseId, response }: Extract<KnownEvent, { type: 'tool:result' }>) => {
		const input = inputs.get(toolUseId ?? '') ?? {};
		if (tool === 'TaskUpdate') return onTaskUpdate(input, jsonOf(response));
		const made = tool === 'TaskCreate' ? createdTask(input, jsonOf(response)) : null;
		if (made) tasks.set(made.id, made);
		const path = WRITERS.includes(tool) ? (filled(input.file_path) ?? filled(input.notebook_path)) : undefined;
		if (path !== undefined) files.add(path);
	};
	for (const event of events) {
		if (!isKnown(event) || event.unverified) continue;
		if (event.type === 'tool:call' && event.toolUseId) inputs.set(event.toolUseId, jsonOf(event.input));
		else if (event.type === 'tool:result') onResult(event);
		else if (event.type === 'todo:update') {
			const actor = event.agentId ?? '';
			const list = todoTasks(event.todos);
			if (doneIn(list) > doneIn(todos.get(actor) ?? [])) files.clear();
			todos.set(actor, list);
		}
	}
	return { tasks: [...tasks.values()], todos, files: [...files] };
}

const doneIn = (tasks: readonly Task[]) => tasks.filter(({ status }) => status === 'completed').length;

function createdTask(input: Json, response: Json): Task | null {
	const made = jsonOf(response.task);
	const id = filled(made.id);
	const description = filled(input.subject) ?? filled(made.subject);
	return id && description ? { id, description, status: 'waiting', priority: 'medium' } : null;
}

function updated(task: Task, input: Json): Task {
	const blockedBy = [...new Set([...(task.blockedBy ?? []), ...listOf(input.addBlockedBy)])];
	return {
		...task,
		...(input.status !== undefined && { status: taskStatusOf(input.status) }),
		...(filled(input.subject) && { description: String(input.subject) }),
		...(blockedBy.length > 0 && { blockedBy }),
	};
}
