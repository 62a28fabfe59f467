import { lstatSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { isWithin } from '#lib/commands/closed-paths.ts';
import { isToolName } from '#lib/commands/extend-command.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { readSkillHeader } from '#lib/commands/skill-header.ts';
import { readBounded } from '../../disk/bounded-read.ts';
import { isExecutable } from '../../disk/program-file.ts';
import { tryTo } from '../../disk/try-to.ts';
import { realOf } from '../files/allowed-folders.ts';

export interface Skill {
	name: string;
	/** Real and absolute. */
	folder: string;
	description: string;
	/** The whole SKILL.md. */
	text: string;
	/** The scripts that are its tools, by name. */
	tools: ReadonlyMap<string, string>;
}

/** How scripts are started, by the end of their name; others must be executable. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
	'.sh': ['/bin/bash'],
	'.py': ['python3'],
	'.js': ['node'],
	'.mjs': ['node'],
	'.cjs': ['node'],
};

/** The project's skills and the person's; of two with one name the project's. */
export function findSkills(project: string, env: ShellEnv): Skill[] {
	const config = env.CLAUDE_CONFIG_DIR || join(env.HOME ?? '/', '.claude');
	const folders = [join(project, '.claude/skills'), join(config, 'skills')];
	const found = folders.flatMap((parent) => namesIn(parent).flatMap((name) => readSkill(parent, name)));
	return found.filter((skill, index) => found.findIndex((other) => other.name === skill.name) === index);
}

export function scriptCommand(path: string): string[] {
	return [...(INTERPRETERS[parse(path).ext] ?? []), path];
}

function readSkill(parent: string, name: string): Skill[] {
	const folder = realOf(join(parent, name));
	if (folder === undefined || !isToolName(name)) return [];
	const file = readBounded(join(folder, 'SKILL.md'), folder);
	if (!file.ok) return [];
	const { description = '' } = readSkillHeader(file.text);
	return [{ name, folder, description, text: file.text, tools: toolsIn(folder) }];
}

/** Scripts by name without its extension; never through a link out of the skill. */
function toolsIn(folder: string): Map<string, string> {
	const tools = new Map<string, string>();
	for (const file of namesIn(join(folder, 'scripts'))) {
		const path = realOf(join(folder, 'scripts', file));
		const { name, ext } = parse(file);
		if (path === undefined || !isWithin(path, folder) || !isToolName(name) || tools.has(name)) continue;
		if (lstatSync(path).isFile() && (Object.hasOwn(INTERPRETERS, ext) || isExecutable(path))) tools.set(name, path);
	}
	return tools;
}

function namesIn(folder: string): string[] {
	return tryTo(() => readdirSync(folder).sort().slice(0, 1000)) ?? [];
}
