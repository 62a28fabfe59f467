import type { AgentHook } from '../../agents/agent-hook.ts';
import { agentCan } from '../../agents/agent-table.ts';
import type { Deed } from '../../agents/tool-call.ts';
import { canonicalCommand, plainWords } from '../../commands/canonical-command.ts';
import { judgeCommand } from '../../commands/command-policy.ts';
import { judgeLine } from '../../commands/judge-line.ts';
import { classOf } from '../../commands/shell-class.ts';
import { isJson } from '../../json/json.ts';
import { sentence } from '../../messages/sentence.ts';
import { printable } from '../../text/printable.ts';
import {
	defineGate,
	type Facts,
	type Fingerprint,
	type GateContext,
	isName,
	type ProgramFile,
	type Verdict,
} from '../gate.ts';
import { choiceSetting, namesSetting } from '../gate-setting.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const COMMAND_GATE = 'command-policy';

const SHOWN_CHARS = 120;

/** Why a line would run outside of the sandbox although `commands.enforce` requires it. */
const OUTSIDE = {
	'no-sandbox': 'no sandbox can be had on this machine',
	client: 'the hooks of this client cannot put a command into the sandbox',
	asked: 'it asks to run outside of the sandbox',
} as const;

/** The gate's facts, recorded with the verdict so that it can be judged again later. */
export interface CommandFacts {
	project: string;
	cwd: string;
	line: string;
	/** The excluded patterns of person and project. */
	exclude: readonly string[];
	/** Unknown programs are asked about. */
	unknown?: 'ask';
	/** The unknown program in the line, as it is on the disk: a person allows exactly this content. */
	program?: ProgramFile;
	enforce?: 'sandbox';
	outside?: keyof typeof OUTSIDE;
	/** The call contains no text as its command. */
	unreadable?: true;
	/** A line of the agent shell: its own commands are judged by name; their content is text. */
	shell?: true;
	/** It asks to run outside of the client's own sandbox, which a person must see. */
	unsandboxed?: true;
}

/**
 * Collects the gate's facts; null if nothing is excluded. NUL bytes are dropped, as bash does; an input without a text as its
 * command is not judged as harmless.
 */
function commandFacts(hook: AgentHook, context: GateContext): CommandFacts | null {
	const { project, cwd } = context;
	const { exclude, unknown } = context.settings.commands;
	if (exclude.length === 0 || hook.at !== 'call') return null;
	const { deed } = hook.call;
	if (deed.does !== 'run-command' && deed.does !== 'run-shell') return null;
	const { line } = deed;
	const how =
		deed.does === 'run-shell' ? { shell: true as const } : deed.leavesSandbox ? { unsandboxed: true as const } : {};
	const facts = {
		project,
		cwd,
		exclude,
		...(unknown && { unknown }),
		...how,
		...enforcement(hook.agent, deed, context),
	};
	if (line === null) return { ...facts, line: '', unreadable: true };
	const read = { ...facts, line: line.replaceAll('\0', '') };
	const program = unknown && unknownProgram(read, context);
	return { ...read, ...(program && { program }) };
}

function enforcement(
	agent: string,
	deed: Deed,
	{ settings, canSandbox }: GateContext,
): Pick<CommandFacts, 'enforce' | 'outside'> {
	const { enforce } = settings.commands;
	if (!enforce) return {};
	const isClients = deed.does === 'run-command';
	if (isClients && deed.leavesSandbox) return { enforce, outside: 'asked' };
	if (isClients && agentCan(agent)?.rewrites !== true) return { enforce, outside: 'client' };
	return canSandbox() ? { enforce } : { enforce, outside: 'no-sandbox' };
}

/** In a longer line another command could change the file before it runs. */
function unknownProgram(facts: CommandFacts, { programFile }: GateContext): ProgramFile | null {
	const [word] = (!facts.shell && plainWords(facts.line)) || [];
	const verdict = word === undefined ? undefined : judgeCommand(facts.line, facts);
	return word !== undefined && verdict?.decision === 'deny' && verdict.rule === 'command.unknown'
		? programFile(word)
		: null;
}

/** Seed 003 as a gate: denies a line that runs an excluded program. Facts name command, pattern and position. */
function judgeLineOf(facts: CommandFacts): Verdict {
	if (facts.unreadable) {
		const reason = 'the call holds no command line that can be read';
		return deny('command.unknowable', reason, { ...facts });
	}
	const verdict = facts.shell ? judgeLine(facts.line, facts) : judgeCommand(facts.line, facts);
	if (verdict.decision === 'pass' && facts.outside) {
		const rule = 'command.outside-sandbox';
		const reason = `${OUTSIDE[facts.outside]}, and commands.enforce is "sandbox"`;
		return deny(rule, reason, { ...facts, canonical: canonicalOf(facts, rule) });
	}
	if (verdict.decision === 'pass') {
		const reason = 'the line runs nothing that is excluded';
		return { gate: COMMAND_GATE, decision: 'pass', rule: 'command.clear', reason, facts: { ...facts } };
	}
	const { rule, command, pattern, argv, span } = verdict;
	const shown = printable(argv.join(' '), SHOWN_CHARS);
	const reason = printable(verdict.reason, 2 * SHOWN_CHARS) + (shown === '' ? '' : ` [${shown}]`);
	const canonical = canonicalOf(facts, rule);
	const found = { command, pattern, argv, span, canonical };
	return deny(rule, reason, { ...facts, ...found });
}

const deny = (rule: string, reason: string, facts: Facts): Verdict => ({
	gate: COMMAND_GATE,
	decision: 'deny',
	rule,
	reason,
	facts,
});

function canonicalOf({ line, shell }: CommandFacts, rule: string): string {
	// A command that only the agent shell has is not a command line: it is the same question if its text is the same.
	if (shell && classOf(line) !== 'native') return `shell ${line.trim()}`;
	// A line that is too long to judge is not parsed either.
	return rule === 'command.too-long' ? `line ${line.trim()}` : canonicalCommand(line);
}

/** Same project, folder and command, however it is quoted; for an unknown program also its path and content. */
function commandFingerprint({ project, cwd, line, canonical, unsandboxed, program }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(cwd) || !isName(line) || !isName(canonical)) return null;
	const leaves = unsandboxed === true;
	if (isJson(program) && isName(program.path) && isName(program.digest) && !leaves) {
		const { path, digest } = program;
		return {
			key: JSON.stringify([COMMAND_GATE, project, 'program', path, digest]),
			words: `the program ${path} as it is now (SHA-256 ${digest.slice(0, 12)}…), alone in a line, with any arguments`,
		};
	}
	return {
		key: JSON.stringify([COMMAND_GATE, project, cwd, canonical, ...(leaves ? ['unsandboxed'] : [])]),
		words: `exactly the command line “${line.trim()}” in the folder ${cwd}${leaves ? ', outside of the sandbox' : ''}`,
	};
}

const UNJUDGED_RULE = 'command.unjudged';

/** Why an entry that fails closed denies every command: what cannot be read may have named any of them. */
export const unjudgedReason = (unread: string) => `no command can be judged until the file is mended: ${unread}`;

export const excludedCommands = namesSetting({
	path: 'commands.exclude',
	means: 'Commands that must not run, also behind other commands; `task:` stands for every command that begins so.',
	one: 'the name of a command, without arguments',
	many: 'names of commands',
	loosened: (patterns) => sentence('commands.exclude no longer names {patterns}', { patterns }),
	rehearsal: { fact: 'exclude' },
});

export const unknownPrograms = choiceSetting({
	path: 'commands.unknown',
	means: 'With `ask`, a person is asked about a program of which nothing is known.',
	loose: 'pass',
	strict: 'ask',
	loosened: sentence('commands.unknown no longer asks'),
});

export const howEnforced = choiceSetting({
	path: 'commands.enforce',
	means: 'With `sandbox`, lines run in the sandbox, where excluded programs cannot be opened.',
	loose: 'judge',
	strict: 'sandbox',
	loosened: sentence('commands.enforce no longer runs lines in the sandbox'),
});

/** Seed 003: commands that must not run. */
export const commandPolicy = defineGate({
	id: COMMAND_GATE,
	setting: 'commandPolicy',
	at: ['call'],
	deeds: ['run-command', 'run-shell'],
	start: { where: '`commands.exclude` names a command' },
	profile: 'closed',
	basis: 'guard',
	mayHold: true,
	settings: [excludedCommands, unknownPrograms, howEnforced],
	seed: '003',
	fingerprint: commandFingerprint,
	denies: {
		'command.excluded': 'a command line that would run an excluded command anywhere in it',
		'command.unknowable': 'a command line where only running it would show what runs',
		'command.unknown': 'a command line that runs a program of which nothing is known',
		'command.outside-sandbox':
			'a command line that would run outside of the sandbox, with `commands.enforce` "sandbox"',
		'command.unparsable': 'a command line that cannot be read',
		'command.too-long': 'a command line that is too long to be followed',
		[UNJUDGED_RULE]: 'any command line by an entry that fails closed, while what is excluded cannot be read',
	},
	judgedBy: {
		facts: commandFacts,
		judge: judgeLineOf,
		whyUnable: ({ commands: { unread } }) =>
			unread === undefined ? undefined : { rule: UNJUDGED_RULE, reason: unjudgedReason(unread) },
	},
});
