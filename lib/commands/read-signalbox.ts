import type { CommandReader } from './judging.ts';
import { readOptions } from './option-words.ts';
import { inputTexts } from './read-shell.ts';
import { afterFirstWord, baseCommandOf, classOf, firstWord } from './shell-class.ts';
import { knownStart, knownText, shellText, textField } from './shell-field.ts';

/** The file of `signalbox`, as an argument of `node`. */
export const SHELL_SCRIPT = 'signalbox.js';

/** Variables that determine where the agent shell finds its rules, what it closes, and which program runs a task. */
export const SHELL_VARIABLES = [
	...['OVERTONE_HOME', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CONFIG_DIR', 'SIGNALBOX_TASK_EXCLUDE', 'CCC_CLAUDE'],
	...['HOME', 'TMPDIR'],
] as const;

/** `signalbox sh LINE`: the line is one of the agent shell, which follows the rules of its own home and project. */
export const readSignalbox: CommandReader = (fields, setting, judge) => {
	const [, first] = fields;
	if (!first) return;
	const command = knownText(first);
	if (command === undefined) return judge.unknowable(fields, 'what it is to do is not known', setting);
	if (command !== 'sh') return;
	if (!SHELL_VARIABLES.every((name) => setting.variables.isUntouched(name))) {
		return judge.unknowable(fields, 'this line sets where it finds its rules', setting);
	}
	const { rest, stopped } = readOptions(fields.slice(2), { long: 'session= help' });
	const [word] = rest;
	if (stopped || !word) return judge.unknowable(fields, 'its line is not known', setting);
	const text = knownText(word);
	const lines = text === '-' ? inputTexts(setting) : text === undefined ? undefined : [text];
	// The shell's own commands are judged only by their name: the rest is text.
	const start = knownStart(word);
	const isOwn = /\S\s/.test(start) && classOf(start) !== 'native' && firstWord(start) !== 'bash';
	if (!lines && !isOwn) return judge.unknowable(fields, 'its line is not known', setting);
	for (const line of lines ?? [start]) {
		judge.mayRun(shellText([textField(baseCommandOf(line))]), setting);
		if (firstWord(line) === 'bash') judge.script(afterFirstWord(line), setting);
		else if (classOf(line) === 'native') judge.script(line, setting);
	}
};
