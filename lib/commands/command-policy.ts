import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { matchingPattern } from './restriction-pattern.ts';

/** Which commands must not run. `include` is kept and not consulted, as in seed 003. */
export interface CommandPolicy {
	exclude: readonly string[];
	include?: readonly string[];
}

/** What the policy says of a command line. */
export type CommandJudgement = { decision: 'pass' } | CommandDenial;

/** Why a command line must not run. */
export interface CommandDenial {
	decision: 'deny';
	rule: 'command.excluded' | 'command.unknowable' | 'command.unparsable';
	/** The name of the command that spoke, as it would run; empty where no command was found. */
	command: string;
	/** The pattern it meets; empty where it meets none. */
	pattern: string;
	reason: string;
	/** The command with its arguments, as far as they are known. */
	argv: string[];
	/** Where in the line it stands: offsets in UTF-16 code units, `end` exclusive. */
	span: { start: number; end: number };
}

/** Judges what a command line would really run. Pure and total. */
export function judgeCommand(line: string, { exclude }: CommandPolicy): CommandJudgement {
	const script = parse(line);
	let denial: CommandDenial | undefined;
	const visit = (node: SyntaxNode): void => {
		if (node.type === 'Command' && node.name && !denial) {
			const command = node.name.value;
			const pattern = matchingPattern(command, exclude);
			const argv = [command, ...node.args.map((word) => (word.type === 'Word' ? word.value : word.text))];
			const reason = `${command} is not allowed here`;
			const span = { start: node.pos, end: node.end };
			if (pattern) denial = { decision: 'deny', rule: 'command.excluded', command, pattern, reason, argv, span };
		}
		forEachChild(node, visit);
	};
	visit(script);
	return denial ?? { decision: 'pass' };
}
