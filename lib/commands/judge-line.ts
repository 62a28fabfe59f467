import { type CommandJudgement, type CommandPolicy, judgeCommand } from './command-policy.ts';
import { matchingPattern } from './program-name.ts';
import { afterFirstWord, baseCommandOf, classOf, firstWord } from './shell-class.ts';
import { tokenise } from './tokenise.ts';

/**
 * Judges a line of the agent shell. Its own commands and tools from outside are judged only by their name, since the rest is text
 * (a `;` in the content of a file runs nothing). Everything for the operating system is judged by what it would really run, also
 * behind `bash`. Pure; never throws.
 */
export function judgeLine(line: string, policy: CommandPolicy): CommandJudgement {
	const named = judgeName(line, policy);
	if (named.decision === 'deny') return named;
	// The text after the shell's own `bash` goes to the operating system, even if a command here has the same name.
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
