import type { KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { isJson, type Json } from '../json/json.ts';
import { type ListEntry, listedTasks } from './listed-tasks.ts';
import type { Task, TaskStatus } from './task.ts';
import { namedFiles, priorityOf, writtenPriority } from './written-task.ts';

/** The tasks of a session, as its events tell them. */
export interface SessionTasks {
	/** The client's own tasks (TaskCreate, TaskUpdate), by its ids. */
	tasks: Task[];
	/** The last todo list of each actor; the main agent's under the empty name. */
	todos: Map<string, Task[]>;
	/** Files that were written since the last completion. */
	files: string[];
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
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
		case 'blocked':
			return 'blocked';
		case 'deleted':
		case 'cancelled':
			return 'abandoned';
		default:
			return 'waiting';
	}
}

/** Todos as tasks; a todo has no id of its own, so its place is it. */
export function todoTasks(todos: readonly unknown[]): Task[] {
	const entries = todos.slice(0, 200).flatMap((todo): ListEntry[] => {
		const { content, status, priority } = jsonOf(todo);
		const text = filled(content)?.slice(0, 2000);
		return text === undefined ? [] : [{ text, status: taskStatusOf(status), priority: priorityOf(priority) }];
	});
	return listedTasks('todo', entries);
}

const WRITERS: readonly string[] = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];

/** Reads the tasks of a session out of its events, oldest first. Total: what does not fit is passed over. */
export function sessionTasks(events: readonly IndexedEvent[]): SessionTasks {
	const inputs = new Map<string, Json>();
	const tasks = new Map<string, Task>();
	const todos = new Map<string, Task[]>();
	const files = new Set<string>();
	/** The task that a sub-agent was started for, where its call named one. */
	const parents = new Map<string, string>();
	const change = (id: string, from: (task: Task) => Task) => {
		const task = tasks.get(id);
		if (task) tasks.set(id, from(task));
	};
	const onTaskUpdate = (input: Json, response: Json) => {
		const id = filled(input.taskId) ?? '';
		if (!tasks.has(id) || response.success === false) return;
		const completes = input.status === 'completed';
		change(id, (task) => ({ ...updated(task, input), ...(completes && { filesModified: [...files] }) }));
		for (const later of listOf(input.addBlocks)) change(later, (task) => waitingFor(task, [id]));
		if (completes) files.clear();
	};
	const onResult = ({ tool, toolUseId, response, agentId }: Extract<KnownEvent, { type: 'tool:result' }>) => {
		const input = inputs.get(toolUseId ?? '') ?? {};
		if (tool === 'TaskUpdate') return onTaskUpdate(input, jsonOf(response));
		const made = tool === 'TaskCreate' ? createdTask(input, jsonOf(response), parents.get(agentId ?? '')) : null;
		if (made) tasks.set(made.id, made);
		const path = WRITERS.includes(tool) ? (filled(input.file_path) ?? filled(input.notebook_path)) : undefined;
		if (path !== undefined) files.add(path);
	};
	const onAgentStart = ({ agentId, toolUseId }: Extract<KnownEvent, { type: 'agent:start' }>) => {
		const parent = filled(inputs.get(toolUseId ?? '')?.parent_task_id);
		if (agentId && parent) parents.set(agentId, parent);
	};
	const onTodos = ({ agentId: actor = '', todos: given }: Extract<KnownEvent, { type: 'todo:update' }>) => {
		const list = todoTasks(given);
		if (doneIn(list) > doneIn(todos.get(actor) ?? [])) files.clear();
		todos.set(actor, list);
	};
	for (const event of events) {
		if (!isKnown(event) || event.unverified) continue;
		if (event.type === 'tool:call' && event.toolUseId) inputs.set(event.toolUseId, jsonOf(event.input));
		else if (event.type === 'tool:result') onResult(event);
		else if (event.type === 'agent:start') onAgentStart(event);
		else if (event.type === 'todo:update') onTodos(event);
	}
	return { tasks: [...tasks.values()], todos, files: [...files] };
}

const doneIn = (tasks: readonly Task[]) => tasks.filter(({ status }) => status === 'completed').length;

function createdTask(input: Json, response: Json, parent: string | undefined): Task | null {
	const made = jsonOf(response.task);
	const id = filled(made.id);
	const description = filled(input.subject) ?? filled(made.subject);
	if (!id || !description) return null;
	const relatedFiles = namedFiles(`${description}\n${filled(input.description) ?? ''}`);
	const task: Task = {
		id,
		description,
		status: 'waiting',
		priority: writtenPriority(description) ?? 'medium',
		...(parent && { parentId: parent }),
		...(relatedFiles.length > 0 && { relatedFiles }),
	};
	return withMetadata(task, jsonOf(input.metadata));
}

function updated(task: Task, input: Json): Task {
	const { status, subject, metadata, addBlockedBy } = input;
	const renamed = filled(subject);
	const changed: Task = {
		...task,
		...(status !== undefined && { status: taskStatusOf(status) }),
		...(renamed && { description: renamed, priority: writtenPriority(renamed) ?? task.priority }),
	};
	return withMetadata(waitingFor(changed, listOf(addBlockedBy)), jsonOf(metadata));
}

function waitingFor(task: Task, ids: readonly string[]): Task {
	const blockedBy = [...new Set([...(task.blockedBy ?? []), ...ids])].filter((id) => id !== task.id);
	return blockedBy.length > 0 ? { ...task, blockedBy } : task;
}

/** What a task's free fields say of it; the client itself has none for these. */
function withMetadata(task: Task, metadata: Json): Task {
	const priority = priorityOf(metadata.priority);
	const parentId = filled(metadata.parent_task_id);
	const files = listOf(metadata.files);
	return {
		...task,
		...(priority && { priority }),
		...(parentId && { parentId }),
		...(files.length > 0 && { relatedFiles: [...new Set([...(task.relatedFiles ?? []), ...files])].slice(0, 20) }),
	};
}
