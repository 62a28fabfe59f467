import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { Deed, SkillFiles } from '#lib/agents/tool-call.ts';
import { readSkillHeader } from '#lib/commands/skill-header.ts';
import type { FileRead, ReadPorts } from '../ports/ports.ts';

/**
 * The hook with what its call really does, where it uses a skill: one that runs in an agent of its own starts an agent. A
 * skill whose file is neither the project's nor the person's stays one: should it start an agent after all, that is an
 * incident.
 */
export function findSkillAgent(hook: AgentHook, root: string, sight: ReadPorts): AgentHook {
	if (hook.at !== 'call' || hook.call.deed.does !== 'use-skill') return hook;
	const file = skillFile(hook.call.deed.files, root, sight);
	const { context, agent } = file?.ok ? readSkillHeader(file.text) : {};
	if (context !== 'fork') return hook;
	const deed: Deed = { does: 'start-agent', asked: { type: agent ?? null }, by: 'skill' };
	return { ...hook, call: { ...hook.call, deed } };
}

function skillFile({ project, machine }: SkillFiles, root: string, sight: ReadPorts): FileRead | undefined {
	const own = root === '' ? [] : project.map((place) => () => sight.readProjectFile(root, place));
	const persons = machine.map((place) => () => sight.readClientFile(place));
	for (const read of [...own, ...persons]) {
		const file = read();
		if (file.ok) return file;
	}
	return undefined;
}
