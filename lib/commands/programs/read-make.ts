import type { CommandReader, Judge, Setting } from '../judging.ts';
import { knownText, lineText } from '../shell-field.ts';
import { isMadeByLine, judgeFileValue, type ValueContext } from './judge-value.ts';
import { optionValues } from './option-values.ts';

const FLAGS = 'bBdehiknpqrRsStvw';
/** Matches what precedes a command in the text of a makefile. */
const BEFORE_COMMAND = /\$[({]shell\s+|!=\s*|[^:;\n]*:[^;\n]*;[@+-]*|\$[({]\w*\s*,/g;

/** `make`: variables that name programs, and makefiles that the line creates. An existing makefile is not examined. */
export const readMakefile: CommandReader = (fields, setting, judge) => {
	const context: ValueContext = { fields, setting, judge };
	const words = fields.slice(1);
	for (const word of words) {
		const [, name = '', value] = /^([\w.%-]+)\s*[:+?!]{0,3}=\s*(.*)$/s.exec(lineText(word)) ?? [];
		if (value === undefined) continue;
		const isKnown = knownText(word) !== undefined;
		judge.mayRun(value, setting);
		judge.mayRun(value.replace(/^-\w+\s+/, ''), setting);
		judgeInRecipe(value, setting, judge);
		judgeText(value, context);
		if ((!isKnown && isMadeByLine(word, setting)) || (name === '.SHELLFLAGS' && !/^-[a-z ]*$/.test(value))) {
			judge.unknowable(fields, 'the line makes what a variable of make holds', setting);
		}
	}
	for (const word of words) judgeModifiers(lineText(word), context);
	for (const { value } of optionValues(words, '--eval -E', FLAGS)) {
		if (value) judgeText(lineText(value), context);
		judge.unknowable(fields, 'it is given a makefile by the line', setting);
	}
	for (const { value } of optionValues(words, '-f --file --makefile', FLAGS)) {
		if (!value || !/^(?:-|\/dev\/.*)$/.test(knownText(value) ?? '')) judgeFileValue(value, context);
		else judge.unknowable(fields, 'it is given a makefile by its input', setting);
	}
};

/** What bmake runs when it expands a value: `${:!x!}`, `${X:sh}`. */
function judgeModifiers(text: string, { fields, setting, judge }: ValueContext): void {
	const [, command] = /\$[{(][^})]*:!([^!]*)!/s.exec(text) ?? [];
	if (command === undefined && !/\$[{(].*:sh\b/s.test(text)) return;
	judge.mayRun(command ?? '', setting);
	judge.unknowable(fields, 'a piece of a makefile in the line may run a command', setting);
}

/** A value among the arguments of a recipe's commands: shell syntax in it is interpreted by the shell. */
export function judgeInRecipe(value: string, setting: Setting, judge: Judge): void {
	const text = value
		.replaceAll('$$', '\0')
		.replace(/\$[({][^)}]*[)}]?/g, '_')
		.replaceAll('\0', '$');
	if (/[`;|&<>]|\$\(/.test(text)) judge.script(`: ${text}`, { ...setting, redirects: [] });
}

/** What may be a command in a piece of a makefile. */
function judgeText(text: string, { fields, setting, judge }: ValueContext): void {
	if (!/\$[({](?:shell|or|and|if|eval|call|foreach|file|guile)\b|!=/.test(text) && !text.includes(';')) return;
	for (const piece of text.split(BEFORE_COMMAND)) judge.mayRun(piece.replace(/[),].*$/s, ''), setting);
	judge.unknowable(fields, 'a piece of a makefile in the line may run a command', setting);
}
