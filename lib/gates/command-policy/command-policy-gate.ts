import type { AgentHook } from '../../agents/agent-hook.ts';
import { canonicalCommand } from '../../commands/canonical-command.ts';
import { judgeCommand } from '../../commands/command-policy.ts';
import { judgeLine } from '../../commands/judge-line.ts';
import { classOf } from '../../commands/shell-class.ts';
import { printable } from '../../text/printable.ts';
import { type Facts, type Fingerprint, isName, type Verdict } from '../gate.ts';
import type { GateContext } from '../gate-context.ts';
import { defineGate } from '../gate-row.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const COMMAND_GATE = 'command-policy';

const SHOWN_CHARS = 120;

/** What the gate looks at: kept with the verdict, so that it can be judged again later. */
export interface CommandFacts {
	project: string;
	/** Where the command would run. */
	cwd: string;
	/** The whole command line. */
	line: string;
	/** What must not run: the person's patterns and the project's. */
	exclude: readonly string[];
	/** Programs of which nothing is known are asked about. */
	unknown?: 'ask';
	/** The call holds no text as its command. */
	unreadable?: true;
	/** It is a line of the agent shell: its own commands are judged by their name, their content is text. */
	shell?: true;
	/** It asks to run outside of the client's own sandbox, which a person must have seen. */
	unsandboxed?: true;
}

/**
 * Collects the gate's facts; null where nothing is excluded. NUL bytes are left out, as bash does; an input without a
 * text as its command is not judged as harmless.
 */
function commandFacts(hook: AgentHook, { project, cwd, settings }: GateContext): CommandFacts | null {
	const { exclude } = settings.commands;
	const asks = settings.commands.unknown === 'ask' ? { unknown: 'ask' as const } : {};
	if (exclude.length === 0 || hook.at !== 'call') return null;
	const { deed } = hook.call;
	if (deed.does !== 'run-command' && deed.does !== 'run-shell') return null;
	const { line } = deed;
	const how =
		deed.does === 'run-shell' ? { shell: true as const } : deed.leavesSandbox ? { unsandboxed: true as const } : {};
	if (line === null) return { project, cwd, line: '', exclude, unreadable: true, ...asks, ...how };
	return { project, cwd, line: line.replaceAll('\0', ''), exclude, ...asks, ...how };
}

/**
 * Seed 003 as a gate: no excluded command runs, wherever it stands in the line. Its facts tell the command that spoke,
 * the pattern it meets, and its place in the line.
 */
function judgeLineOf(facts: CommandFacts): Verdict {
	if (facts.unreadable) {
		const reason = 'the call holds no command line that can be read';
		return { gate: COMMAND_GATE, decision: 'deny', rule: 'command.unknowable', reason, facts: { ...facts } };
	}
	const said = facts.shell ? judgeLine(facts.line, facts) : judgeCommand(facts.line, facts);
	if (said.decision === 'pass') {
		const reason = 'the line runs nothing that is excluded';
		return { gate: COMMAND_GATE, decision: 'pass', rule: 'command.clear', reason, facts: { ...facts } };
	}
	const { rule, command, pattern, argv, span } = said;
	const shown = printable(argv.join(' '), SHOWN_CHARS);
	const reason = printable(said.reason, 2 * SHOWN_CHARS) + (shown === '' ? '' : ` [${shown}]`);
	const canonical = canonicalOf(facts, rule);
	const found = { command, pattern, argv, span, canonical };
	return { gate: COMMAND_GATE, decision: 'deny', rule, reason, facts: { ...facts, ...found } };
}

function canonicalOf({ line, shell }: CommandFacts, rule: string): string {
	// What only the agent shell knows is no command line: it is the same question when it is the same text.
	if (shell && classOf(line) !== 'native') return `shell ${line.trim()}`;
	// What was too long to follow is not taken apart either.
	return rule === 'command.too-long' ? `line ${line.trim()}` : canonicalCommand(line);
}

/** Project, folder and command: the same one there, however it is quoted. */
function commandFingerprint({ project, cwd, line, canonical, unsandboxed }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(cwd) || !isName(line) || !isName(canonical)) return null;
	const leaves = unsandboxed === true;
	return {
		key: JSON.stringify([COMMAND_GATE, project, cwd, canonical, ...(leaves ? ['unsandboxed'] : [])]),
		words: `exactly the command line “${line.trim()}” in the folder ${cwd}${leaves ? ', outside of the sandbox' : ''}`,
	};
}

/** Seed 003: commands that must not run. */
export const commandPolicy = defineGate({
	id: COMMAND_GATE,
	setting: 'commandPolicy',
	at: ['call'],
	deeds: ['run-command', 'run-shell'],
	start: { where: '`commands.exclude` names a command' },
	profile: 'closed',
	rests: 'guard',
	mayHold: true,
	settings: ['commands.exclude', 'commands.unknown'],
	seed: '003',
	fingerprint: commandFingerprint,
	denies: {
		'command.excluded': 'a command line that would run an excluded command anywhere in it',
		'command.unknowable': 'a command line where only running it would show what runs',
		'command.unknown': 'a command line that runs a program of which nothing is known',
		'command.unparsable': 'a command line that cannot be read',
		'command.too-long': 'a command line that is too long to be followed',
	},
	judged: {
		facts: commandFacts,
		judge: judgeLineOf,
		blind: ({ commands: { unread } }) =>
			unread === undefined ? undefined : `no command can be judged: ${unread}. Mend the file.`,
	},
});
