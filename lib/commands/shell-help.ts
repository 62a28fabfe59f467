import { EDIT_USAGE } from './edit-command.ts';
import { READ_USAGE } from './read-command.ts';
import { firstWord } from './shell-class.ts';
import { TODO_USAGE } from './todo-list.ts';
import { WRITE_USAGE } from './write-command.ts';

/** Help of `task:`, the same for every type (seed 003). */
export const TASK_HELP = `USAGE
  task:<type>[:<action>] --prompt TEXT --description TEXT [options]

TYPES
  explore        looks around and reports; changes nothing
  general        works on a task of its own
  skill:search   finds skills that fit
  skill:enhance  improves a skill

OPTIONS
  -p, --prompt TEXT        what the agent is asked to do (required)
  -d, --description TEXT   a few words for people (required)
      --model NAME         the agent's model
      --max-turns N        the agent's turns, at most
  -h, --help               this text; nothing is run

EXAMPLES
  task:explore -p "Where are sessions stored?" -d "find the store"
  task:general --prompt "Update the changelog" --description "changelog" --max-turns 10
`;

/** The shell's own commands, in the order in which they are listed. */
export const shellCommands: Readonly<Record<string, { usage: string; about: string }>> = {
	read: {
		usage: READ_USAGE,
		about: 'Shows a file with line numbers. --offset leaves out lines, --limit 0 shows all (default 2000).',
	},
	write: {
		usage: WRITE_USAGE,
		about: 'Writes a whole file. \\n, \\t, \\r and \\\\ are expanded, except behind a quoted heredoc tag.',
	},
	edit: { usage: EDIT_USAGE, about: 'Replaces text in a file to the letter, the first place or all.' },
	TodoWrite: { usage: TODO_USAGE, about: 'Replaces the todo list; at most one item is in progress.' },
	bash: { usage: 'Usage: bash <command>', about: 'Runs a command in the shell that lasts between commands.' },
	'task:': {
		usage: 'Usage: task:<type> --prompt TEXT --description TEXT',
		about: 'Hands work to an agent of its own.',
	},
	'skill:': {
		usage: 'Usage: skill:list | skill:info <name> | skill:load <name> | skill:<name>:<tool> [arguments]',
		about: "The project's and the person's skills, and the tools in their scripts/ folder.",
	},
	'mcp:': { usage: 'Usage: mcp:<server>:<tool> [arguments]', about: 'Calls a tool of a server in .mcp.json.' },
	'command:search': { usage: 'Usage: command:search [text]', about: 'Lists commands, skills and servers.' },
};

/** Whether a line of the shell asks for help: `-h` or `--help` as its first argument; later it is content. */
export function wantsHelp(line: string): 'short' | 'long' | undefined {
	const argument = /^\s*\S+\s+(-h|--help)(?=\s|$)/.exec(line)?.[1];
	return argument === undefined ? undefined : argument === '-h' ? 'short' : 'long';
}

/** The help of one of the shell's commands, one line or more. */
export function helpOf(line: string, how: 'short' | 'long'): string {
	const name = firstWord(line);
	const command = Object.hasOwn(shellCommands, name) ? shellCommands[name] : undefined;
	if (!command) return '';
	return how === 'short' ? `${command.usage}\n` : `${command.usage}\n\n${command.about}\n`;
}
