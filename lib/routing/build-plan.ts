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

export function readTaskFile(text: string): TaskFile | null {
	const file = mapOf(readYamlSubset(text));
	const decomposition = mapOf(file.task_decomposition);
	const subtasks = listOf(decomposition.subtasks)
		.slice(0, MAX_TASKS)
		.map((entry, at): Subtask => {
			const task = mapOf(entry);
			const description = textOf(task.description) || textOf(task.title) || textOf(task.name);
			const id = textOf(task.id).slice(0, 128) || `task-${at + 1}`;
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
	const phases = groups.map((tasks, at) => ({
		phase: at + 1,
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

export function needsNoPlan(prompt: string): boolean {
	const text = prompt.trim();
	if (text === '' || text.startsWith('/') || text.startsWith('<task-notification>')) return true;
	return (
		/[?？]$/.test(text) ||
		/^(what|why|how|who|where|when|which)\b/iu.test(text) ||
		/^(什麼|為什麼|怎麼|如何|誰|哪)/u.test(text)
	);
}

type YamlValue = string | YamlValue[] | { [key: string]: YamlValue };

interface Line {
	indent: number;
	text: string;
}

const MAX_LINES = 5000;
const MAX_LINE_CHARS = 2000;
const MAX_DEPTH = 20;

/**
 * Maps, lists, scalars, lists in brackets, block texts and comments; scalars stay texts. Never throws: unknown syntax is
 * left out.
 */
export function readYamlSubset(text: string): YamlValue {
	const lines = text
		.split('\n', MAX_LINES)
		.map((whole) => whole.slice(0, MAX_LINE_CHARS))
		.map((raw) => ({ indent: raw.length - raw.trimStart().length, text: withoutComment(raw.trim()) }))
		.filter((line) => line.text !== '' && line.text !== '---');
	return block({ lines, at: 0 }, 0);
}

interface Cursor {
	lines: Line[];
	at: number;
}

const KEY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#[\]{},][^:#]{0,200}?)):(?:\s+(.*))?$/;

function block(cursor: Cursor, depth: number): YamlValue {
	const first = cursor.lines[cursor.at];
	if (!first || depth > MAX_DEPTH) return '';
	return /^-(\s|$)/.test(first.text) ? list(cursor, first.indent, depth) : map(cursor, first.indent, depth);
}

function list(cursor: Cursor, indent: number, depth: number): YamlValue[] {
	const items: YamlValue[] = [];
	for (let line = cursor.lines[cursor.at]; line && line.indent === indent; line = cursor.lines[cursor.at]) {
		const item = /^-(\s+)?(.*)$/.exec(line.text);
		if (!item) break;
		const rest = item[2] ?? '';
		if (rest === '') {
			cursor.at += 1;
			items.push(nested(cursor, indent, depth));
		} else if (KEY.test(rest) || /^-\s/.test(rest)) {
			// Text after the dash begins a nested block.
			cursor.lines[cursor.at] = { indent: indent + 1 + (item[1]?.length ?? 1), text: rest };
			items.push(block(cursor, depth + 1));
		} else {
			cursor.at += 1;
			items.push(scalar(rest));
		}
	}
	return items;
}

function map(cursor: Cursor, indent: number, depth: number): YamlValue {
	const found: [string, YamlValue][] = [];
	for (let line = cursor.lines[cursor.at]; line && line.indent >= indent; line = cursor.lines[cursor.at]) {
		const pair = line.indent === indent ? KEY.exec(line.text) : null;
		cursor.at += 1;
		if (!pair) continue;
		const key = pair[1] ?? pair[2] ?? pair[3] ?? '';
		const rest = pair[4] ?? '';
		if (/^[|>][+-]?$/.test(rest)) found.push([key, blockText(cursor, indent)]);
		else found.push([key, rest === '' ? nested(cursor, indent, depth, true) : scalar(rest)]);
	}
	return Object.fromEntries(found.filter(([key]) => key !== '__proto__'));
}

/** A list may be indented as deeply as its key. */
function nested(cursor: Cursor, indent: number, depth: number, underKey = false): YamlValue {
	const next = cursor.lines[cursor.at];
	if (!next) return '';
	const beside = underKey && next.indent === indent && /^-(\s|$)/.test(next.text);
	return next.indent > indent || beside ? block(cursor, depth + 1) : '';
}

function blockText(cursor: Cursor, indent: number): string {
	const texts: string[] = [];
	for (let line = cursor.lines[cursor.at]; line && line.indent > indent; line = cursor.lines[cursor.at]) {
		texts.push(line.text);
		cursor.at += 1;
	}
	return texts.join('\n');
}

function scalar(text: string): YamlValue {
	if (text.startsWith('[') && text.endsWith(']')) {
		const inner = text.slice(1, -1).trim();
		return inner === '' ? [] : inner.split(',').map((item) => unquoted(item.trim()));
	}
	return unquoted(text);
}

function unquoted(text: string): string {
	const quote = text[0];
	return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

function withoutComment(text: string): string {
	if (text.startsWith('#')) return '';
	const quoted = /^[^#]*["'].*["']\s*$/.test(text);
	return quoted ? text : text.replace(/\s#.*$/, '').trimEnd();
}
