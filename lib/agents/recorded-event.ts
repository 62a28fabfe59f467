import { SHELL_TOOL } from '../commands/shell-settings.ts';
import type { EventOf } from '../contract/events/event.ts';
import { isJson, type Json, textOf } from '../json/json.ts';
import { agentNameOf } from '../routing/routing-state.ts';
import { fieldText, oneLine } from '../text/printable.ts';
import type { HookPoint } from './agent-hook.ts';
import { agentTable } from './agent-table.ts';
import type { DeedKind, FileEdit, Replacement } from './tool-call.ts';

/**
 * The meaning of recorded events, for any client. Fields beside the client's own names come from its adapter; lines without them
 * are Claude Code's or older.
 */

type ToolCallFacts = Pick<EventOf<'tool:call'>, 'tool' | 'does'>;
type HookFacts = Pick<EventOf<'hook:event'>, 'name' | 'at' | 'fields'>;

const [first] = agentTable;
const kinds = new Map<string, DeedKind>(
	Object.entries(first.tools).flatMap(([kind, names]) => names.map((name) => [name, kind as DeedKind] as const)),
);
const points = new Map<string, HookPoint>(
	Object.entries(first.events).map(([point, name]) => [name, point as HookPoint]),
);

export function callKind({ tool, does }: ToolCallFacts): DeedKind {
	return (does as DeedKind | undefined) ?? kinds.get(tool) ?? 'other';
}

export function hookPointOf({ name, at }: Omit<HookFacts, 'fields'>): HookPoint {
	return (at as HookPoint | undefined) ?? points.get(name) ?? 'other';
}

/** Null if it starts none or names none. */
export function requestedAgent({ tool, does, asked, input }: EventOf<'tool:call'>): string | null {
	if (callKind({ tool, does }) !== 'start-agent') return null;
	const type =
		asked ?? (typeof input === 'object' && input !== null && 'subagent_type' in input && input.subagent_type);
	return agentNameOf(type);
}

export function runsScript(tool: string): boolean {
	return tool === 'Workflow';
}

export function wakesAgent({ tool, input }: Pick<EventOf<'tool:call'>, 'tool' | 'input'>): string | undefined {
	if (tool !== 'SendMessage') return undefined;
	const to = typeof input === 'object' && input !== null && 'to' in input ? input.to : undefined;
	return typeof to === 'string' ? to : undefined;
}

export function isTypedCommand({ name }: Pick<HookFacts, 'name'>): boolean {
	return name === 'UserPromptExpansion';
}

export function endedAgentKind(event: HookFacts): string | null {
	return hookPointOf(event) === 'agent-end' ? agentNameOf(event.fields.agent_type) : null;
}

export function clientDenial({ name, fields }: HookFacts): { reason: unknown } | undefined {
	return name === 'PermissionDenied' ? { reason: fields.reason } : undefined;
}

/** Null if the client lists none. */
export function runningAgentIds({ fields: { background_tasks: tasks } }: HookFacts): unknown[] | null {
	return Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { id?: unknown } | null)?.id) : null;
}

/** Clients' names of the same field in a call that edits a file; the first that holds a text counts. */
export const editFields = {
	path: ['file_path', 'notebook_path', 'filePath', 'path'],
	text: ['content', 'contents', 'file_text', 'new_source'],
	from: ['old_string', 'oldString', 'old_str', 'oldText'],
	to: ['new_string', 'newString', 'new_str', 'newText'],
	/** A text in the `*** Begin Patch` form, if it is not the whole input. */
	patch: ['command', 'patchText', 'patch', 'input'],
} as const;

export interface CallEdit {
	path: string;
	pieces: readonly { from: string; to: string }[];
	isCut: boolean;
}

/** The file edits of a recorded call, of any client. */
export function editsOfCall({ tool, does, input }: Pick<EventOf<'tool:call'>, 'tool' | 'does' | 'input'>): CallEdit[] {
	if (callKind({ tool, does }) !== 'edit-file') return [];
	const fields = isJson(input) ? input : {};
	const path = textOf(firstOf(fields, editFields.path), 4096);
	if (path !== undefined) return [fileEdit(path, fields)];
	const patch = typeof input === 'string' ? input : firstOf(fields, editFields.patch);
	return readPatch(typeof patch === 'string' ? patch : '').flatMap(({ path: file, text, edits = [] }) =>
		file === null ? [] : [{ path: file, pieces: text === undefined ? edits : [{ from: '', to: text }], isCut: false }],
	);
}

function fileEdit(path: string, fields: Json): CallEdit {
	const given = Array.isArray(fields.edits) ? fields.edits.filter(isJson) : [fields];
	const texts = given.map((one) => ({
		from: firstOf(one, editFields.from) ?? '',
		to: firstOf(one, editFields.to) ?? firstOf(one, editFields.text) ?? '',
	}));
	const isText = (value: unknown) => typeof value === 'string';
	return {
		path,
		pieces: texts.flatMap(({ from, to }) =>
			isText(from) && isText(to) ? [{ from, to } as CallEdit['pieces'][number]] : [],
		),
		isCut: texts.some(({ from, to }) => !isText(from) || !isText(to)),
	};
}

const firstOf = (fields: Json, names: readonly string[]): unknown =>
	names.map((name) => fields[name]).find((value) => value !== undefined);

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const MOST_FILES = 200;

/** The files that a `*** Begin Patch` text changes. Never throws: other text changes none. */
export function readPatch(text: string): FileEdit[] {
	const files: { path: string; how: string; lines: string[] }[] = [];
	for (const line of text.split(/\r?\n/)) {
		if (line.startsWith('*** End Patch')) break;
		const [, how, path] = FILE.exec(line) ?? [];
		const last = files.at(-1);
		const to = MOVE.exec(line)?.[1];
		if (how !== undefined && path !== undefined) {
			if (files.length === MOST_FILES) break;
			files.push({ path: path.trim(), how, lines: [] });
		} else if (to !== undefined && last) files.push({ ...last, path: to.trim(), lines: last.lines });
		else if (!line.startsWith('*** ')) last?.lines.push(line);
	}
	return files.map(({ path, how, lines }): FileEdit => {
		if (how === 'Add') return { path, text: `${lines.map((line) => line.replace(/^\+/, '')).join('\n')}\n` };
		return { path, edits: how === 'Update' ? hunksOf(lines) : [] };
	});
}

function hunksOf(lines: readonly string[]): Replacement[] {
	const hunks: string[][] = [[]];
	for (const line of lines) {
		if (line.startsWith('@@')) hunks.push([]);
		else hunks.at(-1)?.push(line);
	}
	return hunks.flatMap((hunk) => {
		const side = (mark: string) =>
			hunk.filter((line) => line[0] === ' ' || line[0] === mark).map((line) => line.slice(1));
		const from = side('-').join('\n');
		return from === '' ? [] : [{ from, to: side('+').join('\n'), all: false }];
	});
}

/** The field of a tool's input that best describes what a call does. */
const titleFields: Readonly<Record<string, readonly string[]>> = {
	Bash: ['command'],
	[SHELL_TOOL]: ['command'],
	Read: ['file_path'],
	Write: ['file_path'],
	Edit: ['file_path'],
	NotebookEdit: ['notebook_path'],
	Glob: ['pattern'],
	Grep: ['pattern'],
	WebFetch: ['url'],
	WebSearch: ['query'],
	Agent: ['description', 'prompt'],
	Task: ['description', 'prompt'],
	Skill: ['skill', 'command'],
	TaskCreate: ['subject'],
	ExitPlanMode: ['plan'],
	SendMessage: ['summary', 'message'],
};

export function callTitle(tool: string, input: unknown): string {
	if (typeof input !== 'object' || input === null || 'blob' in input) return oneLine(fieldText(input));
	const fields = input as Record<string, unknown>;
	const does = callKind({ tool });
	if (does === 'ask-person' && Array.isArray(fields.questions)) {
		const first: unknown = fields.questions[0];
		if (typeof first === 'object' && first !== null && 'question' in first) return oneLine(fieldText(first.question));
	}
	if (does === 'update-todos' && Array.isArray(fields.todos)) return `${fields.todos.length} todos`;
	if (tool === 'Stop') return oneLine(fieldText(fields.said));
	const name = (Object.hasOwn(titleFields, tool) ? titleFields[tool] : undefined)?.find(
		(field) => fieldText(fields[field]) !== '',
	);
	if (name) return oneLine(fieldText(fields[name]));
	const patched = Object.values(fields).flatMap((text) =>
		typeof text === 'string' && text.startsWith('*** Begin Patch') ? readPatch(text) : [],
	);
	if (patched.length > 0) return oneLine(patched.map(({ path }) => path).join(', '));
	return Object.keys(fields).length === 0 ? '' : oneLine(fieldText(input));
}

const changedFields = ['command', 'file_path', 'notebook_path', 'description', 'pattern', 'url', 'query'];

/** A person's changed input of a call, in one line; its tool may not be known yet. */
export function changedTitle(input: Readonly<Record<string, unknown>>): string {
	const agent = fieldText(input.subagent_type);
	const name = changedFields.find((field) => fieldText(input[field]) !== '');
	const what = name === undefined ? fieldText(input) : fieldText(input[name]);
	return oneLine(agent === '' ? what : `→ ${agent} ${what}`);
}
