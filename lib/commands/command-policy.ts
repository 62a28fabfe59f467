import { type CommandJudgement, type CommandPolicy, moreImportant, tooLong, unparsable } from './judging.ts';
import { LineJudge } from './line-judge.ts';
import { knownText } from './shell-field.ts';
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
	const read = follow(line, judge);
	if (read === 'too-long') return moreImportant(judge.denial, tooLong(span));
	if (read === 'too-deep') return judge.denial ?? unparsable('this command line is nested too deeply to be read', span);
	return judge.denial ?? { decision: 'pass' };
}

/** A command of a line: its words, null for each that is known only when it runs. */
export type ListedCommand = readonly (string | null)[];

/**
 * The commands that a line runs, in lists, pipes, substitutions and behind commands that run others, each with the words that it
 * gets. Pure; never throws. `isWhole` is false if the line may run more than can be told from it.
 */
export function listCommands(line: string): { commands: ListedCommand[]; isWhole: boolean } {
	const commands: ListedCommand[] = [];
	if (line.length > MAX_COMMAND_CHARS) return { commands, isWhole: false };
	const judge = new LineJudge([], new StepBudget(), undefined, (fields) =>
		commands.push(fields.map((field) => knownText(field) ?? null)),
	);
	const read = follow(line, judge);
	return { commands, isWhole: read === 'whole' && judge.denial === undefined };
}

function follow(line: string, judge: LineJudge): 'whole' | 'too-long' | 'too-deep' {
	try {
		judge.line(line);
		return 'whole';
	} catch (error) {
		return error instanceof TooManySteps ? 'too-long' : 'too-deep';
	}
}
