import { dirname } from 'node:path';
import { agentRow } from '#lib/agents/agent-table.ts';
import { runsScript } from '#lib/agents/told-event.ts';
import type { AskedAgent, Deed, DeedKind, Replacement, SkillFiles, ToolCall } from '#lib/agents/tool-call.ts';
import { flagOf, isJson, type Json, textOf } from '#lib/json/json.ts';

const MAX_PROMPT = 64 * 1024;
/** Names that lead to a file of their own; `:` stands for a folder. */
const SKILL_NAME = /^[\w-][\w.-]*(?::[\w-][\w.-]*)*$/;
const kinds = new Map(
	Object.entries(agentRow('claude-code').tools).flatMap(([kind, names]) =>
		names.map((name) => [name, kind as DeedKind] as const),
	),
);

/**
 * What a call of a tool of this client does. Total: an input that does not fit leaves its parts out. `raw` is the hook's
 * whole input, which tells where the client keeps its person's skills.
 */
export function readCall(tool: string, input: unknown, raw: Json = {}): ToolCall {
	return { tool, input, deed: deedOf(tool, isJson(input) ? input : {}, raw) };
}

function deedOf(tool: string, input: Json, raw: Json): Deed {
	const kind = kinds.get(tool);
	switch (kind) {
		case 'run-command': {
			const leaves = input.dangerouslyDisableSandbox === true;
			return { does: kind, line: lineOf(input), ...(leaves && { leavesSandbox: true }) };
		}
		case 'run-shell':
			return { does: kind, line: lineOf(input) };
		case 'edit-file':
			return editOf(input);
		case 'start-agent':
			// None of a script's agents is named in its call.
			return runsScript(tool)
				? { does: kind, asked: { type: null }, by: 'script' }
				: { does: kind, asked: askedAgent(input) };
		case 'use-skill':
			return { does: kind, files: skillFiles(input.skill, clientFolderOf(raw)) };
		case 'update-todos':
			return Array.isArray(input.todos) ? { does: kind, todos: input.todos } : { does: 'other' };
		case 'complete-task':
			return input.status === 'completed' && typeof input.taskId === 'string'
				? { does: kind, id: input.taskId }
				: { does: 'other' };
		case 'ask-person':
		case 'enter-plan-mode':
		case 'show-plan':
			return { does: kind };
		case 'other':
		case undefined:
			return { does: 'other' };
	}
}

/** An input without a text as its command is not taken for harmless: its line is null. */
const lineOf = ({ command }: Json): string | null => (typeof command === 'string' ? command : null);

function editOf(input: Json): Deed {
	const path = [input.file_path, input.notebook_path].find((one) => typeof one === 'string' && one !== '');
	const edits = (Array.isArray(input.edits) ? input.edits : [input]).filter(isJson).flatMap(replacementOf);
	return {
		does: 'edit-file',
		path: typeof path === 'string' ? path : null,
		...(typeof input.content === 'string' ? { text: input.content } : edits.length > 0 && { edits }),
	};
}

function replacementOf({ old_string: from, new_string: to, replace_all: all }: Json): Replacement[] {
	return typeof from === 'string' && from !== '' && typeof to === 'string' ? [{ from, to, all: all === true }] : [];
}

function askedAgent(input: Json): AskedAgent {
	return {
		type: typeof input.subagent_type === 'string' ? input.subagent_type : null,
		description: textOf(input.description, 500),
		prompt: textOf(input.prompt, MAX_PROMPT),
		background: flagOf(input.run_in_background),
		parentTaskId: textOf(input.parent_task_id, 200),
	};
}

/** `<the client's folder>/projects/<project>/<session>.jsonl` */
function clientFolderOf({ transcript_path: path }: Json): string | undefined {
	return typeof path === 'string' ? dirname(dirname(dirname(path))) : undefined;
}

/** The project's file before the person's, as a skill or as a command. */
function skillFiles(skill: unknown, clientFolder: string | undefined): SkillFiles {
	const name = textOf(skill, 200)?.trim().replace(/^\//, '') ?? '';
	if (!SKILL_NAME.test(name)) return { project: [], machine: [] };
	const path = name.replaceAll(':', '/');
	const places = [`skills/${path}/SKILL.md`, `commands/${path}.md`];
	return {
		project: places.map((place) => `.claude/${place}`),
		machine: clientFolder === undefined ? [] : places.map((place) => `${clientFolder}/${place}`),
	};
}
