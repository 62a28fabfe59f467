import { type CommandJudgement, type CommandPolicy, judgeCommand } from './command-policy.ts';
import { matchingPattern } from './program-name.ts';
import { afterFirstWord, baseCommandOf, classOf, firstWord } from './shell-class.ts';
import { tokenise } from './tokenise.ts';

/**
 * Judges a line of the agent shell. Its own commands and tools from outside are judged by their name alone, since what
 * follows is text (a `;` in a file that is written runs nothing); everything that the operating system would run is
 * judged by what it would really run, behind `bash`, too. Pure and total.
 */
export function judgeLine(line: string, policy: CommandPolicy): CommandJudgement {
	const named = judgeName(line, policy);
	if (named.decision === 'deny') return named;
	// What stands behind the shell's own `bash` goes to the operating system, whatever its name is here.
	if (firstWord(line) === 'bash') return judgeCommand(afterFirstWord(line), policy);
	return classOf(line) === 'native' ? judgeCommand(line, policy) : named;
}

function judgeName(line: string, { exclude }: CommandPolicy): CommandJudgement {
	const command = baseCommandOf(line);
	const pattern = matchingPattern(command, exclude);
	if (pattern === undefined) return { decision: 'pass' };
	const start = line.length - line.trimStart().length;
	const read = tokenise(line.trim());
	return {
		decision: 'deny',
		rule: 'command.excluded',
		command,
		pattern,
		reason: `${command} is not allowed here`,
		argv: read.ok ? read.tokens : [command],
		span: { start, end: start + firstWord(line).length },
	};
}
