import { readExtend } from '#lib/commands/extend-command.ts';
import { helpOf, shellCommands, wantsHelp } from '#lib/commands/shell-help.ts';
import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { tokenise } from '#lib/commands/tokenise.ts';
import { printable } from '#lib/text/printable.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
	type RunOptions,
} from '../command-result.ts';
import { resultOf, runChild } from '../run-child.ts';
import { findSkills, type Skill, scriptCommand } from './skill-folders.ts';

const SHOWN_CHARS = 1000;

/** `skill:list|info|load`, and `skill:SKILL:TOOL`, which runs a script of the skill. */
export class SkillHandler implements CommandHandler {
	readonly #options: { project: string; cwd: string; env: ShellEnv };

	constructor(options: { project: string; cwd: string; env: ShellEnv }) {
		this.#options = options;
	}

	execute(line: string, options: RunOptions = {}): CancelablePromise<CommandResult> {
		return cancelable((signal) => this.#run(line, options, signal));
	}

	async #run(line: string, options: RunOptions, signal: AbortSignal): Promise<CommandResult> {
		const read = tokenise(line.trim());
		if (!read.ok) return failed(read.error);
		const [name = '', skillName] = read.tokens;
		if (name.split(':').length > 2) return this.#tool(line, options, signal);
		if (wantsHelp(line)) return done(helpOf('skill:', 'long'));
		const skills = findSkills(this.#options.project, this.#options.env);
		if (name === 'skill:list')
			return done(skills.map((skill) => `${skill.name}\t${printable(skill.description, SHOWN_CHARS)}\n`).join(''));
		if (name !== 'skill:info' && name !== 'skill:load') {
			return failed(`Unknown skill command: ${name}. ${shellCommands['skill:']?.usage ?? ''}`);
		}
		if (skillName === undefined) return failed(`Usage: ${name} <name>`);
		const skill = skills.find((one) => one.name === skillName);
		if (!skill) return failed(unknown(skillName, skills));
		return done(name === 'skill:load' ? skill.text : infoOf(skill));
	}

	async #tool(line: string, { onOutput }: RunOptions, signal: AbortSignal): Promise<CommandResult> {
		const read = readExtend(line);
		if (!read.ok) return failed(read.message);
		if (read.request.kind !== 'skill') return failed('That is no skill: command.');
		const { skill: name, tool, words } = read.request;
		const { project, cwd, env } = this.#options;
		const skills = findSkills(project, env);
		const skill = skills.find((one) => one.name === name);
		if (!skill) return failed(unknown(name, skills));
		const script = skill.tools.get(tool);
		const known = [...skill.tools.keys()].join(', ') || 'none';
		if (script === undefined) return failed(`Unknown tool: ${tool}. Skill ${name} has ${known}.`);
		const [program = '', ...args] = scriptCommand(script);
		const timeoutMs = limitOf(env, 'SYNAPSE_COMMAND_TIMEOUT', 0);
		const limits = { signal, ...(timeoutMs > 0 && { timeoutMs }), ...(onOutput && { onOutput }) };
		const run = { program, args: [...args, ...words], cwd, env, ...limits };
		return resultOf(await runChild(run), run);
	}
}

function infoOf({ name, description, folder, tools }: Skill): string {
	const shown = [description, folder].map((text) => printable(text, SHOWN_CHARS));
	const lines = [`name: ${name}`, `description: ${shown[0]}`, `folder: ${shown[1]}`];
	const listed = [...tools.keys()].map((tool) => `  skill:${name}:${tool}`);
	return `${[...lines, listed.length > 0 ? 'tools:' : 'tools: none', ...listed].join('\n')}\n`;
}

function unknown(name: string, skills: readonly Skill[]): string {
	return `Unknown skill: ${name}. There ${skills.length === 0 ? 'is none' : `are ${skills.map((one) => one.name).join(', ')}`}.`;
}
