import { type AgentRow, deedKindsOf } from '#lib/agents/agent-table.ts';
import { editFields, readPatch } from '#lib/agents/file-edits.ts';
import type { AskedAgent, Deed, DeedKind, FileEdit, Replacement, ToolCall } from '#lib/agents/tool-call.ts';
import { flagOf, isJson, type Json, textOf } from '#lib/json/json.ts';

const MAX_PROMPT = 64 * 1024;
/** Names of the same field in different clients; the first that contains a text counts. */
const LINE = ['command', 'cmd', 'input'];
const TYPE = ['subagent_type', 'agent_type', 'agent_name'];
const PROMPT = ['prompt', 'message'];

/** Returns the function that says what a call does, by a client's tool names. Never throws: missing parts are left out. */
export function deedReader(row: AgentRow): (tool: string, input: unknown) => ToolCall {
	const kinds = deedKindsOf(row);
	return (tool, input) => ({ tool, input, deed: deedOf(kinds.get(tool) ?? 'other', input) });
}

function deedOf(kind: DeedKind, input: unknown): Deed {
	const fields = isJson(input) ? input : {};
	switch (kind) {
		case 'run-command':
		case 'run-shell':
			// A command that is not a text is not harmless.
			return { does: kind, line: firstText(fields, LINE) ?? null };
		case 'edit-file':
			return editOf(input, fields);
		case 'start-agent':
			return { does: kind, asked: askedAgent(fields) };
		case 'update-todos':
			return Array.isArray(fields.todos) ? { does: kind, todos: fields.todos } : { does: 'other' };
		case 'ask-person':
		case 'enter-plan-mode':
		case 'show-plan':
			return { does: kind };
		case 'complete-task':
		case 'use-skill':
		case 'other':
			return { does: 'other' };
	}
}

/** The input of a call that runs a command, with another command line. */
export function inputWithLine(input: unknown, line: string): Json {
	const fields = isJson(input) ? input : {};
	const name = LINE.find((each) => typeof fields[each] === 'string') ?? 'command';
	return { ...fields, [name]: line };
}

function firstText(fields: Json, names: readonly string[]): string | undefined {
	return names.map((name) => fields[name]).find((value) => typeof value === 'string');
}

/** One file by its fields, else those that a patch names: it may be the whole input. */
function editOf(input: unknown, fields: Json): Deed {
	const path = firstText(fields, editFields.path);
	if (path !== undefined && path !== '') return { does: 'edit-file', ...fileEdit(path, fields) };
	const [first, ...also] = readPatch(typeof input === 'string' ? input : (firstText(fields, editFields.patch) ?? ''));
	return { does: 'edit-file', ...(first ?? { path: null }), ...(also.length > 0 && { also }) };
}

function fileEdit(path: string, fields: Json): FileEdit {
	const text = firstText(fields, editFields.text);
	if (text !== undefined) return { path, text };
	const edits = (Array.isArray(fields.edits) ? fields.edits.filter(isJson) : [fields]).flatMap(replacementIn);
	return { path, ...(edits.length > 0 && { edits }) };
}

function replacementIn(fields: Json): Replacement[] {
	const from = firstText(fields, editFields.from);
	const to = firstText(fields, editFields.to);
	const all = fields.replace_all === true || fields.replaceAll === true;
	return from && to !== undefined ? [{ from, to, all }] : [];
}

function askedAgent(fields: Json): AskedAgent {
	return {
		type: firstText(fields, TYPE) ?? null,
		description: textOf(fields.description ?? fields.task_name, 500),
		prompt: textOf(firstText(fields, PROMPT), MAX_PROMPT),
		background: flagOf(fields.run_in_background) ?? (fields.mode === 'background' || undefined),
	};
}
