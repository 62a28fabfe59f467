import { readMcpServers } from '#lib/commands/mcp-servers.ts';
import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, shellCommands, wantsHelp } from '#lib/commands/shell-help.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { tokenise } from '#lib/commands/tokenise.ts';
import { readBounded } from '../../disk/bounded-read.ts';
import { type CancelablePromise, cancelable } from '../cancelable.ts';
import { type CommandHandler, type CommandResult, done, failed } from '../command-result.ts';
import { findSkills } from './skill-folders.ts';

/** `command:search [text]`: commands, skills and servers whose line holds the text. */
export class SearchHandler implements CommandHandler {
	readonly #project: string;
	readonly #env: ShellEnv;

	constructor(options: { project: string; env: ShellEnv }) {
		this.#project = options.project;
		this.#env = options.env;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable(async () => {
			const help = wantsHelp(line);
			if (help) return done(helpOf(line, help));
			const read = tokenise(afterFirstWord(line));
			if (!read.ok) return failed(read.error);
			const wanted = read.tokens.join(' ').toLowerCase();
			const found = this.#all().filter((entry) => entry.toLowerCase().includes(wanted));
			return done(found.map((entry) => `${entry}\n`).join('') || 'Nothing found.\n');
		});
	}

	#all(): string[] {
		const own = Object.entries(shellCommands).map(([name, { about }]) => `${name}\t${about}`);
		const skills = findSkills(this.#project, this.#env).flatMap(({ name, description, tools }) => [
			`skill:load ${name}\t${description}`,
			...[...tools.keys()].map((tool) => `skill:${name}:${tool}\t${description}`),
		]);
		const file = readBounded(`${this.#project}/.mcp.json`, this.#project);
		const read = file.ok ? readMcpServers(file.text, this.#env) : undefined;
		const servers = read?.ok ? [...read.servers.keys()].map((name) => `mcp:${name}:\ta server in .mcp.json`) : [];
		return [...own, ...skills, ...servers];
	}
}
