import type { Assignment, Command, SyntaxNode, Word } from 'unbash';
import { hiddenSubstitution, inDoubleQuotes, isRunByShells, promptExpansions, runByPrograms } from './hidden-code.ts';
import type { LineReader, Setting } from './judging.ts';
import { type Field, knownText, lineText, textField, unknownField } from './shell-field.ts';
import { expandWord, expandWords, wordValues } from './word-fields.ts';

/** What a command needs of the script around it. */
export interface CommandPlace {
	readonly judge: LineReader;
	readonly source: string;
	settingOf(node: SyntaxNode): Setting;
	parts(node: SyntaxNode): void;
}

const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;
/** Builtins that take names with an index, which is arithmetic and may run a substitution in a plain text. */
const TAKES_NAMES = /^(?:let|read|printf|unset|test|\[|wait|mapfile|readarray|getopts)$/;

/** Follows one simple command: what its words run, what it sets, and the command itself. */
export function walkCommand(command: Command, place: CommandPlace): void {
	place.judge.budget.spend(1);
	const setting = place.settingOf(command);
	for (const part of command.prefix) {
		place.parts(part);
		if (part.type === 'Assignment') assign(part, command.name !== undefined, setting, place);
	}
	for (const part of [...(command.name ? [command.name] : []), ...command.suffix]) place.parts(part);
	judgePrompts(command, setting, place);
	if (!command.name) return;
	judgeAlias(command, command.name, setting, place);
	const argWords = command.args.filter((arg) => arg.type === 'Word');
	const declared = command.args.filter((arg) => arg.type === 'Assignment');
	const readings = expandWords([command.name, ...argWords], setting.variables);
	const assigned = declared.map((each) => assignmentField(each, setting));
	const whole = { ...setting, redirects: command.redirects };
	for (const fields of readings) place.judge.words([...fields, ...assigned], whole);
	const name = command.name.value;
	if (DECLARES.test(name)) declare(name, declared, setting, place);
	if (TAKES_NAMES.test(name)) {
		for (const field of readings.flat()) {
			judgeHidden(knownText(field) ?? field.raw.replace(/['"\\]/g, ''), setting, place.judge);
		}
	}
}

function assignmentField({ name, value, text }: Assignment, { variables }: Setting): Field {
	const values = value.type === 'Word' ? wordValues(value, variables) : undefined;
	return values?.length === 1 ? textField(`${name}=${values[0]}`) : unknownField(text, false);
}

function assign(
	{ name, value, append, index }: Assignment,
	isForCommand: boolean,
	setting: Setting,
	place: CommandPlace,
) {
	const { variables } = setting;
	const values = value.type === 'Word' ? wordValues(value, variables) : undefined;
	for (const text of values ?? []) judgeHidden(text, setting, place.judge);
	if (isRunByShells(name)) judgeRun(name, values, setting, place);
	for (const text of value.type === 'Word' ? lineTexts(value, setting) : []) {
		place.judge.mayRun(runByPrograms(name, text) ?? '', setting);
	}
	const kept = append || index ? undefined : values;
	if (isForCommand) variables.setMaybe(name, kept);
	else variables.set(name, kept);
}

/** A value as far as it is known, in each of its readings. */
function lineTexts(value: Word, { variables }: Setting): string[] {
	return expandWord(value, variables).map((fields) => fields.map(lineText).join(' '));
}

function judgeHidden(text: string, setting: Setting, judge: LineReader): void {
	const hidden = hiddenSubstitution(text);
	if (hidden) judge.script(hidden, setting);
}

/** A value that shells run by themselves, as a prompt or before one. */
function judgeRun(
	name: string,
	values: readonly string[] | undefined,
	setting: Setting,
	{ judge, source }: CommandPlace,
): void {
	// An environment of a deployment is often named so; only a shell runs it.
	if (!values && name === 'ENV' && !/\b(?:ba|da|k|z)?sh\b|\bash\b/.test(source)) return;
	if (!values || name.startsWith('BASH_FUNC_')) {
		return judge.unknowable([textField(name)], 'a shell runs its value, which is not known', setting);
	}
	if (/ENV$/.test(name) && values.some((value) => /\/(?:dev|proc)\//.test(value))) {
		return judge.unknowable([textField(name)], 'a shell runs what it reads there, which is not known', setting);
	}
	for (const value of values) judge.script(name === 'PROMPT_COMMAND' ? value : inDoubleQuotes(value), setting);
}

/** `${x@P}` runs the substitutions in what a variable holds. */
function judgePrompts(command: Command, setting: Setting, { judge }: CommandPlace): void {
	for (const { parameter, index, prefix } of promptExpansions(command)) {
		const values = index || prefix ? undefined : setting.variables.get(parameter);
		if (!values) judge.unknowable([textField(parameter)], 'its value is run as a prompt and is not known', setting);
		for (const value of values ?? []) judge.script(inDoubleQuotes(value), setting);
	}
}

/** An alias of this line may stand for the name, with the words after it. */
function judgeAlias(command: Command, { text, value, end }: Word, setting: Setting, place: CommandPlace): void {
	const meaning = text === value ? place.judge.aliasOf(text) : undefined;
	if (meaning === undefined || setting.aliases?.includes(text)) return;
	const aliases = [...(setting.aliases ?? []), text];
	const line = `${meaning} ${place.source.slice(end, command.end)}`;
	place.judge.script(line, { ...setting, aliases }, setting.variables.copy());
}

/** Declared variables; whatever of them cannot be told was forgotten when the command was judged. */
function declare(name: string, declared: readonly Assignment[], setting: Setting, place: CommandPlace): void {
	for (const each of declared) assign(each, false, setting, place);
	if (name === 'readonly') setting.variables.taint(declared.map((each) => each.name));
}
