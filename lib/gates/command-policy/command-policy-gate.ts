import { canonicalCommand } from '../../commands/canonical-command.ts';
import { judgeCommand } from '../../commands/command-policy.ts';
import { judgeLine } from '../../commands/judge-line.ts';
import { classOf } from '../../commands/shell-class.ts';
import { printable } from '../../text/printable.ts';
import type { Verdict } from '../gate.ts';
import { COMMAND_GATE } from './command-gate-name.ts';

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
export function commandFacts(
	project: string,
	cwd: string,
	input: unknown,
	exclude: readonly string[],
): CommandFacts | null {
	if (exclude.length === 0) return null;
	const isReadable = typeof input === 'object' && input !== null && 'command' in input;
	if (!isReadable || typeof input.command !== 'string') return { project, cwd, line: '', exclude, unreadable: true };
	const leaves = 'dangerouslyDisableSandbox' in input && input.dangerouslyDisableSandbox === true;
	return { project, cwd, line: input.command.replaceAll('\0', ''), exclude, ...(leaves && { unsandboxed: true }) };
}

/**
 * Seed 003 as a gate: no excluded command runs, wherever it stands in the line. Its facts tell the command that spoke,
 * the pattern it meets, and its place in the line.
 */
export function commandPolicyGate(facts: CommandFacts): Verdict {
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
