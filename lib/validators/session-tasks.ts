import type { KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import type { TaskBox } from '../features/tasks-file.ts';
import { isJson, type Json } from '../json/json.ts';
import { isActivePlan, type RoutingPlan } from '../routing/routing-state.ts';
import type { Task, TaskPriority, TaskStatus } from './task.ts';

const WORDS: Readonly<Record<string, TaskPriority>> = {
	critical: 'critical',
	urgent: 'critical',
	blocker: 'critical',
	p0: 'critical',
	high: 'high',
	p1: 'high',
	medium: 'medium',
	normal: 'medium',
	p2: 'medium',
	low: 'low',
	p3: 'low',
	p4: 'low',
};
const NAMES = Object.keys(WORDS).join('|');
/** `[high]`, `(P1)`, `(priority: high)`, `!high`, `priority: high`, or the first word with a colon: `P0: fix it`. */
const MARKER = new RegExp(
	`[[(](?:priority[:=]? ?)?(${NAMES})(?: priority)?[\\])]|(?:^|\\s)!(${NAMES})(?![\\w-])|\\bpriority[:=] ?(${NAMES})(?![\\w-])|^(${NAMES}):`,
	'i',
);
const NAMED = /`([^`\n]{1,200})`|[^\s`'"()[\]{}<>,;]{1,200}/g;
const HAS_EXTENSION = /[^/]\.[a-z][a-z0-9]{0,7}$/i;
const MAX_FILES = 20;

function priorityOf(value: unknown): TaskPriority | undefined {
	const word = typeof value === 'string' ? value.slice(0, 20).trim().toLowerCase() : '';
	return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

export function writtenPriority(text: string): TaskPriority | undefined {
	const found = MARKER.exec(text.slice(0, 2000));
	return priorityOf(found?.slice(1).find((word) => word !== undefined));
}

/** A path with a slash and an extension, or a name with one between backticks. */
export function namedFiles(text: string): string[] {
	const found = new Set<string>();
	for (const [word, quoted] of text.slice(0, 8000).matchAll(NAMED)) {
		const name = (quoted ?? word).replace(/[.:!?]+$/, '');
		const isPath = quoted === undefined ? name.includes('/') && !name.includes('://') : !/\s/.test(name);
		if (isPath && HAS_EXTENSION.test(name)) found.add(name);
		if (found.size === MAX_FILES) break;
	}
	return [...found];
}

interface ListEntry {
	text: string;
	status: TaskStatus;
	priority?: TaskPriority | undefined;
	indent?: number;
}

const WAITS = /[[(](?:after|blocked by|depends on|needs|waits for):? ([^()[\]]{1,200})[\])]/i;
const PLACE = /^#?(\d{1,4})$/;
/** `T001 Write it`, `[A-2] Write it`. */
const LABEL = /^\[?([A-Za-z]{1,5}-?\d{1,5})\]?[:.)]?\s/;

/**
 * Entries as tasks `KIND:1`, `KIND:2`. Brackets name what an entry waits for by place or label: `(after 2)`,
 * `(depends on T001)`. A nested entry has its parent's priority unless marked.
 */
function listedTasks(kind: string, entries: readonly ListEntry[]): Task[] {
	const idAt = (index: number) => `${kind}:${index + 1}`;
	const byLabel = new Map(entries.map(({ text }, index) => [LABEL.exec(text)?.[1]?.toLowerCase(), idAt(index)]));
	const idOf = (name: string): string | undefined => {
		const number = Number(PLACE.exec(name)?.[1] ?? 0);
		return number > 0 && number <= entries.length ? idAt(number - 1) : byLabel.get(name.toLowerCase());
	};
	const waitsFor = (text: string): string[] => {
		const names = (WAITS.exec(text)?.[1] ?? '').split(/[\s,;&]+|\band\b/i).filter((name) => name !== '');
		const ids = names.map(idOf);
		// "after 2 days" names no entry.
		return ids.every((id) => id !== undefined) ? [...new Set(ids)] : [];
	};
	const above: { task: Task; indent: number }[] = [];
	return entries.map(({ text, status, priority, indent = 0 }, position) => {
		while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
		const parent = above.at(-1)?.task;
		const blockedBy = waitsFor(text).filter((id) => id !== idAt(position));
		const relatedFiles = namedFiles(text);
		const task: Task = {
			id: idAt(position),
			description: text,
			status,
			priority: priority ?? writtenPriority(text) ?? parent?.priority ?? 'medium',
			...(parent && { parentId: parent.id }),
			...(blockedBy.length > 0 && { blockedBy }),
			...(relatedFiles.length > 0 && { relatedFiles }),
		};
		above.push({ task, indent });
		return task;
	});
}

/** A box that is indented below another is its subtask. */
export function boxTasks(boxes: readonly TaskBox[]): Task[] {
	const entries = boxes.map(({ text, checked, indent }): ListEntry => {
		return { text, status: checked ? 'completed' : 'waiting', indent };
	});
	return listedTasks('box', entries);
}

export interface SessionTasks {
	tasks: Task[];
	todos: Map<string, Task[]>;
	files: string[];
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const listOf = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function taskStatusOf(status: unknown): TaskStatus {
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

/** Of the first 200, those that have a text. */
export function todoTasks(todos: readonly unknown[]): Task[] {
	const entries = todos.slice(0, 200).flatMap((todo): ListEntry[] => {
		const { content, status, priority } = jsonOf(todo);
		const text = filled(content)?.slice(0, 2000);
		return text === undefined ? [] : [{ text, status: taskStatusOf(status), priority: priorityOf(priority) }];
	});
	return listedTasks('todo', entries);
}

const WRITERS: readonly string[] = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];

/** Oldest event first. Never throws: what does not fit is skipped. */
export function sessionTasks(events: readonly IndexedEvent[]): SessionTasks {
	const inputs = new Map<string, Json>();
	const tasks = new Map<string, Task>();
	const todos = new Map<string, Task[]>();
	const files = new Set<string>();
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

const statuses: ReadonlyMap<string, TaskStatus> = new Map([
	['completed', 'completed'],
	['executing', 'active'],
	['in_progress', 'active'],
	['cancelled', 'abandoned'],
	['skipped', 'abandoned'],
]);

/** The tasks of an active plan; a task waits for all earlier phases. */
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
