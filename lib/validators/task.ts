export type TaskStatus = 'active' | 'blocked' | 'waiting' | 'completed' | 'abandoned';

export type TaskPriority = 'low' | 'medium' | 'high' | 'critical';

export interface Task {
	id: string;
	description: string;
	status: TaskStatus;
	priority: TaskPriority;
	parentId?: string;
	blockedBy?: readonly string[];
	relatedFiles?: readonly string[];
	filesModified?: readonly string[];
}

export interface MemoryStore {
	getTask(id: string): Task | undefined;
	tasks(): readonly Task[];
}

export function memoryOf(tasks: readonly Task[]): MemoryStore {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return { getTask: (id) => byId.get(id), tasks: () => tasks };
}

export function isRemaining({ status }: Task): boolean {
	return status !== 'completed' && status !== 'abandoned';
}

/** A task is blocked by an open blocker and waits once all are done; active and finished ones stay. */
export function withBlocked(tasks: readonly Task[]): Task[] {
	const open = new Map(tasks.map((task) => [task.id, isRemaining(task)]));
	return tasks.map((task) => {
		const blockers = task.blockedBy?.filter((id) => id !== task.id) ?? [];
		if (blockers.length === 0) return task;
		if (task.status === 'waiting' && blockers.some((id) => open.get(id))) return { ...task, status: 'blocked' };
		if (task.status === 'blocked' && blockers.every((id) => open.get(id) === false)) {
			return { ...task, status: 'waiting' };
		}
		return task;
	});
}

interface NextTask {
	task: Task;
	/** What in the tasks decided it; undefined for the first of the list. */
	because?: string;
}

const weight: Record<TaskPriority, number> = { critical: 4, high: 3, medium: 2, low: 1 };

/**
 * The highest priority of those that nothing open blocks: blockers, open subtasks and blockers of the parent count.
 * In a cycle all are candidates, so that work continues.
 */
export function nextByPriority(remaining: readonly Task[]): NextTask | undefined {
	const parents = new Set(remaining.filter(({ id, parentId }) => parentId !== id).map(({ parentId }) => parentId));
	const waits = waitsAmong(remaining);
	const pieces = remaining.filter(({ id }) => !parents.has(id));
	const free = pieces.filter((task) => !waits(task));
	const candidates = free.length > 0 ? free : remaining;
	const [first, ...others] = candidates;
	if (!first) return undefined;
	const task = others.reduce((best, one) => (weight[best.priority] >= weight[one.priority] ? best : one), first);
	if (candidates !== free) return { task };
	const outweighs = free.some((one) => weight[one.priority] < weight[task.priority]);
	const reasons = [
		...(outweighs ? [`its priority is ${task.priority}`] : []),
		...(task.blockedBy?.length ? ['what it waited for is done'] : []),
		...(pieces[0] && waits(pieces[0]) ? ['the ones before it wait for open tasks'] : []),
	];
	return { task, ...(reasons.length > 0 && { because: reasons.join(' and ') }) };
}

/** Whether a task, or one above it, waits for an open task. */
function waitsAmong(remaining: readonly Task[]): (task: Task) => boolean {
	const open = new Map(remaining.map((task) => [task.id, task]));
	const isBlocked = ({ id, status, blockedBy }: Task) =>
		status === 'blocked' || (blockedBy?.some((other) => other !== id && open.has(other)) ?? false);
	return (task) => {
		const seen = new Set<Task>();
		for (let at: Task | undefined = task; at && !seen.has(at); at = open.get(at.parentId ?? '')) {
			if (isBlocked(at)) return true;
			seen.add(at);
		}
		return false;
	};
}

const marks: Record<TaskStatus, string> = {
	completed: '[x]',
	active: '[>]',
	blocked: '[!]',
	waiting: '[ ]',
	abandoned: '[-]',
};
const MAX_DEPTH = 20;

/**
 * One line a task, indented by level, each task once: an unknown parent is the top level, a circle is entered at its
 * first task.
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
		for (let next = ahead.pop(); next; next = ahead.pop()) {
			const { task, depth } = next;
			if (seen.has(task.id)) continue;
			seen.add(task.id);
			lines.push(`${'  '.repeat(Math.min(depth, MAX_DEPTH))}${taskLine(task, byId)}`);
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

function taskLine({ id, description, status, parentId }: Task, byId: ReadonlyMap<string, Task>): string {
	const orphan = parentId !== undefined && !byId.has(parentId) ? ' (its parent is unknown)' : '';
	return `${marks[status]} ${id}: ${description}${orphan}`;
}
