import { readMcpServers } from '#lib/commands/mcp-servers.ts';
import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, shellCommands, wantsHelp } from '#lib/commands/shell-help.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { tokenise } from '#lib/commands/tokenise.ts';
import { printable } from '#lib/text/printable.ts';
import { readBounded } from '../../disk/bounded-read.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
} from '../command-result.ts';
import { findSkills } from './skill-folders.ts';

const SHOWN_CHARS = 1000;

/** `command:search [text]`: commands, skills and servers whose line contains the text. */
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
			const entries = this.#all().map((entry) => entry.map((text) => printable(text, SHOWN_CHARS)).join('\t'));
			const found = entries.filter((entry) => entry.toLowerCase().includes(wanted));
			return done(found.map((entry) => `${entry}\n`).join('') || 'Nothing found.\n');
		});
	}

	/** Every command, skill and server with its description. */
	#all(): [string, string][] {
		const own = Object.entries(shellCommands).map(([name, { about }]): [string, string] => [name, about]);
		const skills = findSkills(this.#project, this.#env).flatMap(({ name, description, tools }): [string, string][] => [
			[`skill:load ${name}`, description],
			...[...tools.keys()].map((tool): [string, string] => [`skill:${name}:${tool}`, description]),
		]);
		const file = readBounded(`${this.#project}/.mcp.json`, this.#project);
		const read = file.ok ? readMcpServers(file.text, this.#env) : undefined;
		const names = read?.ok ? [...read.servers.keys()] : [];
		return [...own, ...skills, ...names.map((name): [string, string] => [`mcp:${name}:`, 'a server in .mcp.json'])];
	}
}
