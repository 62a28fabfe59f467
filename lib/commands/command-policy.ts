import { type CommandJudgement, type CommandPolicy, unparsable } from './command-denial.ts';
import { LineJudge } from './line-judge.ts';

export type { CommandDenial, CommandJudgement, CommandPolicy } from './command-denial.ts';

/** Longer lines are not read; in UTF-16 code units. */
export const MAX_COMMAND_CHARS = 256 * 1024;

/**
 * Judges what a command line would really run: in lists, pipes, substitutions, functions, and behind commands that run
 * others. Pure and total. With something to exclude, what cannot be told from the line is denied (a closed world);
 * scripts in files and what programs start by themselves are not looked into.
 */
export function judgeCommand(line: string, { exclude }: CommandPolicy): CommandJudgement {
	if (exclude.length === 0) return { decision: 'pass' };
	const span = { start: 0, end: line.length };
	if (line.length > MAX_COMMAND_CHARS) {
		return unparsable('this command line is too long to be read; put it into a file', span);
	}
	const judge = new LineJudge(exclude);
	try {
		judge.line(line);
	} catch {
		return judge.denial ?? unparsable('this command line is nested too deeply to be read', span);
	}
	return judge.denial ?? { decision: 'pass' };
}
