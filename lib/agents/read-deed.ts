import type { EventOf } from '../contract/events/event.ts';
import { flagOf, isJson, type Json, textOf } from '../json/json.ts';
import { type AgentRow, deedKindsOf } from './agent-table.ts';
import { editFields, readPatch } from './file-edits.ts';
import { callKind, runsScript } from './recorded-event.ts';
import type { Deed, DeedKind, FileEdit, Replacement, RequestedAgent, ToolCall } from './tool-call.ts';

const MAX_PROMPT = 64 * 1024;
/** Names of the same field in different clients; the first that contains a text counts. */
const LINE_FIELDS = ['command', 'cmd', 'input'];
const TYPE_FIELDS = ['subagent_type', 'agent_type', 'agent_name'];
const PROMPT_FIELDS = ['prompt', 'message'];

/** Returns the function that says what a call does, by a client's tool names. Never throws: missing parts are left out. */
export function deedReader(row: AgentRow): (tool: string, input: unknown) => ToolCall {
	const kinds = deedKindsOf(row);
	return (tool, input) => ({ tool, input, deed: deedOf(kinds.get(tool) ?? 'other', input) });
}

/** What a recorded call did, for any client; null if the event does not hold all of it. */
export function recordedDeed({ tool, does, asked, input }: EventOf<'tool:call'>): Deed | null {
	const kind = callKind({ tool, does });
	const fields = isJson(input) ? input : {};
	// The files of a skill, and which task a call completes, are known to the client's own adapter alone.
	if (kind === 'use-skill' || kind === 'complete-task') return null;
	if ('blob' in fields || Object.values(fields).some((field) => isJson(field) && 'blob' in field)) return null;
	const deed = deedOf(kind, input);
	if (deed.does === 'start-agent') {
		if (runsScript(tool)) return { ...deed, requestedAgent: { type: null }, by: 'script' };
		return { ...deed, requestedAgent: { ...deed.requestedAgent, type: asked ?? deed.requestedAgent.type } };
	}
	const leavesSandbox = deed.does === 'run-command' && fields.dangerouslyDisableSandbox === true;
	return leavesSandbox ? { ...deed, leavesSandbox } : deed;
}

function deedOf(kind: DeedKind, input: unknown): Deed {
	const fields = isJson(input) ? input : {};
	switch (kind) {
		case 'run-command':
		case 'run-shell':
			// Still a command without its text, which no gate may take for harmless.
			return { does: kind, line: firstText(fields, LINE_FIELDS) ?? null };
		case 'edit-file':
			return editOf(input, fields);
		case 'start-agent':
			return { does: kind, requestedAgent: requestedAgentIn(fields) };
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
	const name = LINE_FIELDS.find((each) => typeof fields[each] === 'string') ?? 'command';
	return { ...fields, [name]: line };
}

function firstText(fields: Json, names: readonly string[]): string | undefined {
	return names.map((name) => fields[name]).find((value) => typeof value === 'string');
}

/** A file named by a field, else the files that a patch names; the patch may be the whole input. */
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

function requestedAgentIn(fields: Json): RequestedAgent {
	return {
		type: firstText(fields, TYPE_FIELDS) ?? null,
		description: textOf(fields.description ?? fields.task_name, 500),
		prompt: textOf(firstText(fields, PROMPT_FIELDS), MAX_PROMPT),
		background: flagOf(fields.run_in_background) ?? (fields.mode === 'background' || undefined),
	};
}
