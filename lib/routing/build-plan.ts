import { readYamlSubset, type YamlValue } from './read-yaml-subset.ts';
import { agentNameOf } from './routing-state.ts';

interface Subtask {
	id: string;
	description: string;
	agent: string;
	priority?: string;
}

export interface TaskFile {
	request?: string;
	groups: Subtask[][];
}

const MAX_TASKS = 100;
const AGENTS: readonly string[] = ['architect', 'developer', 'tester', 'reviewer', 'explorer'];
const KEYWORDS: readonly (readonly [RegExp, string])[] = [
	[/architect|design|架構|設計/iu, 'architect'],
	[/implement|build|develop|實作|開發/iu, 'developer'],
	[/fix|bug|修復|修正/iu, 'developer'],
	[/refactor|重構/iu, 'developer'],
	[/test|測試/iu, 'tester'],
	[/review|審查/iu, 'reviewer'],
	[/explore|search|find|探索|搜尋/iu, 'explorer'],
	[/secur|安全/iu, 'reviewer'],
];
const MODELS: Readonly<Record<string, string>> = { architect: 'opus', explorer: 'haiku' };

const textOf = (value: YamlValue | undefined): string => (typeof value === 'string' ? value.slice(0, 2000) : '');
const listOf = (value: YamlValue | undefined): YamlValue[] => (Array.isArray(value) ? value : []);
const mapOf = (value: YamlValue | undefined): Record<string, YamlValue> =>
	typeof value === 'object' && !Array.isArray(value) ? value : {};

/** The named agent, else the one of the first matching word. */
function agentFor(named: string, description: string): string {
	const agent = agentNameOf(named);
	if (agent !== null && (AGENTS.includes(agent) || named.includes(':'))) return agent;
	return KEYWORDS.find(([word]) => word.test(description))?.[1] ?? agent ?? 'developer';
}

/** Null without subtasks. Tasks of one parallel group are one phase of the plan, all others a phase each. */
export function readTaskFile(text: string): TaskFile | null {
	const file = mapOf(readYamlSubset(text));
	const decomposition = mapOf(file.task_decomposition);
	const subtasks = listOf(decomposition.subtasks)
		.slice(0, MAX_TASKS)
		.map((entry, index): Subtask => {
			const task = mapOf(entry);
			const description = textOf(task.description) || textOf(task.title) || textOf(task.name);
			const id = textOf(task.id).slice(0, 128) || `task-${index + 1}`;
			const priority = textOf(task.priority).slice(0, 20);
			return { id, description, agent: agentFor(textOf(task.agent), description), ...(priority && { priority }) };
		});
	if (subtasks.length === 0) return null;
	const order = mapOf(file.execution_order ?? decomposition.execution_order);
	const named = listOf(order.parallel_groups).map((group) =>
		listOf(Array.isArray(group) ? group : mapOf(group).tasks).map(textOf),
	);
	const grouped = named
		.map((ids) => subtasks.filter((task) => ids.includes(task.id)))
		.filter((tasks) => tasks.length > 0);
	const rest = subtasks.filter((task) => !grouped.flat().includes(task)).map((task) => [task]);
	const request = textOf(decomposition.original_request) || textOf(file.original_request);
	return { groups: [...grouped, ...rest], ...(request && { request }) };
}

/** `taskFile` marks the file as used. */
interface PlanSource {
	id: string;
	at: string;
	taskFile: string;
	request: string;
}

/** In vibe-engine's format, with a budget of three retries. */
export function buildPlan({ groups, request }: TaskFile, source: PlanSource): string {
	const phases = groups.map((tasks, index) => ({
		phase: index + 1,
		parallel: tasks.length > 1,
		tasks: tasks.map(({ id, agent, description, priority }) => {
			const model = Object.hasOwn(MODELS, agent) ? MODELS[agent] : 'sonnet';
			const fresh = { status: 'pending', startedAt: null, completedAt: null, error: null };
			return { id, agent, description, model, ...fresh, ...(priority && { priority }) };
		}),
	}));
	const places = groups.flatMap((tasks, phaseIndex) =>
		tasks.map(({ id }, taskIndex) => [id, { phaseIndex, taskIndex }] as const),
	);
	const plan = {
		planId: `route-${source.id}`,
		createdAt: source.at,
		updatedAt: source.at,
		originalRequest: request ?? source.request.slice(0, 2000),
		status: 'pending',
		strategy: groups.some((tasks) => tasks.length > 1) ? 'hybrid' : 'sequential',
		phases,
		totalCount: groups.flat().length,
		completedCount: 0,
		failedCount: 0,
		maxRetries: 3,
		currentRetry: 0,
		taskIndex: Object.fromEntries(places),
		taskFile: source.taskFile,
	};
	return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Questions, slash commands and the client's own reports ask for no work. */
export function needsNoPlan(prompt: string): boolean {
	const text = prompt.trim();
	if (text === '' || text.startsWith('/') || text.startsWith('<task-notification>')) return true;
	return (
		/[?？]$/.test(text) ||
		/^(what|why|how|who|where|when|which)\b/iu.test(text) ||
		/^(什麼|為什麼|怎麼|如何|誰|哪)/u.test(text)
	);
}
