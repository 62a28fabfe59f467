import { type CommandJudgement, type CommandPolicy, judgeCommand } from './command-policy.ts';
import { matchingPattern } from './restriction-pattern.ts';
import { afterFirstWord, classOf, firstWord } from './shell-class.ts';
import { tokenise } from './tokenise.ts';

/** What a line of the agent shell asks for, as restrictions name it: its first word, without quotes around it. */
export function baseCommandOf(line: string): string {
	const word = firstWord(line);
	const read = tokenise(word);
	return read.ok ? (read.tokens[0] ?? '') : word;
}

/**
 * Judges a line of the agent shell. Its own commands and tools from outside are judged by their name alone, since what
 * follows is text (a `;` in a file that is written runs nothing); everything that the operating system would run is
 * judged by what it would really run, behind `bash`, too. Pure and total.
 */
export function judgeLine(line: string, policy: CommandPolicy): CommandJudgement {
	const named = judgeName(line, policy);
	if (named.decision === 'deny') return named;
	// Each `bash` is a layer; a line of thousands of them is judged without as many calls.
	let rest = line;
	while (firstWord(rest) === 'bash' && afterFirstWord(rest) !== '') rest = afterFirstWord(rest);
	if (classOf(rest) === 'native') return judgeCommand(rest, policy);
	return rest === line ? named : judgeCommand(rest, policy);
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
