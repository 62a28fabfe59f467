import { dirname } from 'node:path';
import { readSkillHeader } from '#lib/commands/skill-header.ts';
import { isSubagentTool, SKILL_TOOL, WORKFLOW_TOOL } from '#lib/routing/agent-name.ts';
import { isJson, type Json, textOf } from '../agents/claude-code/json.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import type { FileRead, Ports } from './ports.ts';

/** What a call that starts sub-agents asks for. */
export interface Spawn {
	/** As the call or the skill names it; undefined where it names none. */
	subagentType: unknown;
}

/** Names that lead to a file of their own; `:` stands for a folder. */
const SKILL_NAME = /^[\w-][\w.-]*(?::[\w-][\w.-]*)*$/;

/**
 * What a call asks for that starts sub-agents: the sub-agent tool, a script of them, or a skill that runs in an agent of its
 * own. Null for any other, and for a skill whose file is neither the project's nor the person's: should it start an agent
 * after all, that is an incident.
 */
export function spawnOf({ fields }: HookInput, root: string, ports: Ports): Spawn | null {
	const { tool_name: tool, tool_input: toolInput } = fields;
	const asked = isJson(toolInput) ? toolInput : {};
	if (isSubagentTool(tool)) return { subagentType: asked.subagent_type };
	if (tool === WORKFLOW_TOOL) return { subagentType: undefined };
	if (tool !== SKILL_TOOL) return null;
	const file = skillFile(asked, fields, root, ports);
	const header = file?.ok ? readSkillHeader(file.text) : {};
	return header.context === 'fork' ? { subagentType: header.agent } : null;
}

/** The call's input as the gates and the workflow read it: with the type that it stands for. */
export function spawnInput({ subagentType }: Spawn, input: unknown): Json {
	return { ...(isJson(input) && input), subagent_type: subagentType };
}

/** The project's file before the person's, as a skill or as a command. */
function skillFile(
	{ skill }: Json,
	{ transcript_path: transcript }: Json,
	root: string,
	ports: Ports,
): FileRead | undefined {
	const name = textOf(skill, 200)?.trim().replace(/^\//, '');
	if (name === undefined || !SKILL_NAME.test(name)) return undefined;
	const places = [`skills/${name.replaceAll(':', '/')}/SKILL.md`, `commands/${name.replaceAll(':', '/')}.md`];
	const own = root === '' ? [] : places.map((place) => () => ports.readProjectFile(root, `.claude/${place}`));
	// `<the client's folder>/projects/<project>/<session>.jsonl`
	const client = typeof transcript === 'string' ? dirname(dirname(dirname(transcript))) : undefined;
	const persons = client === undefined ? [] : places.map((place) => () => ports.readClientFile(`${client}/${place}`));
	for (const read of [...own, ...persons]) {
		const file = read();
		if (file.ok) return file;
	}
	return undefined;
}
