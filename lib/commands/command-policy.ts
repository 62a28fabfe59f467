import { type CommandJudgement, type CommandPolicy, moreImportant, tooLong, unparsable } from './judging.ts';
import { LineJudge } from './line-judge.ts';
import { StepBudget, TooManySteps } from './step-budget.ts';

export type { CommandDenial, CommandJudgement, CommandPolicy } from './judging.ts';

/** In UTF-16 code units. Longer lines are not read; a shell could not receive them as one argument either. */
export const MAX_COMMAND_CHARS = 128 * 1024;

/**
 * Judges what a command line would really run: in lists, pipes, substitutions, functions, and behind commands that run others.
 * Pure; never throws. If anything is excluded, commands that cannot be determined from the line are denied (a closed world);
 * scripts in files, and what programs start by themselves, are not examined.
 */
export function judgeCommand(line: string, { exclude, unknown }: CommandPolicy): CommandJudgement {
	if (exclude.length === 0) return { decision: 'pass' };
	const span = { start: 0, end: line.length };
	if (line.length > MAX_COMMAND_CHARS) return tooLong(span);
	// A shell that reads the line from a file drops such characters; one that receives it as an argument stops there.
	if (line.includes('\0')) return unparsable('this command line holds a character that no shell keeps', span);
	const judge = new LineJudge(exclude, new StepBudget(), unknown);
	try {
		judge.line(line);
	} catch (error) {
		if (!(error instanceof TooManySteps)) {
			return judge.denial ?? unparsable('this command line is nested too deeply to be read', span);
		}
		return moreImportant(judge.denial, tooLong(span));
	}
	return judge.denial ?? { decision: 'pass' };
}
