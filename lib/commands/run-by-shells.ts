import type { SyntaxNode } from 'unbash';
import { namesDevice } from './device-path.ts';
import { inDoubleQuotes, isRunByShells } from './hidden-code.ts';
import type { CommandPlace, Setting } from './judging.ts';
import { type Field, knownText, textField } from './shell-field.ts';
import { wordValues } from './word-fields.ts';

const RUNS_VALUE = 'a shell runs its value, which is not known';
/** Builtins that leave a variable whose bare name they are given without a value of theirs. */
const DECLARES = /^(?:unset|declare|typeset|local|export|readonly)$/;
const SETS = /^(?:read|mapfile|readarray|getopts|printf|unset|declare|typeset|local|export|readonly)$/;
/** An octal number by which a prompt writes `$`, a backquote or a backslash. */
const OCTAL = /\\(?:044|140|134)/;

/** Judges a value that shells run by themselves, as a prompt or before one; `values` is undefined where none is known. */
export function judgeRun(
	name: string,
	values: readonly string[] | undefined,
	setting: Setting,
	{ judge, source }: CommandPlace,
): void {
	// An environment of a deployment is often named so; only a shell runs it.
	if (!values && name === 'ENV' && !/\b(?:ba|da|k|z)?sh\b|\bash\b/.test(source)) return;
	if (!values || name.startsWith('BASH_FUNC_') || (/^PS/.test(name) && values.some((value) => OCTAL.test(value)))) {
		return judge.unknowable([textField(name)], RUNS_VALUE, setting);
	}
	if (/ENV$/.test(name) && values.some((value) => /\/(?:dev|proc)\//.test(value) || namesDevice(value))) {
		return judge.unknowable([textField(name)], 'a shell runs what it reads there, which is not known', setting);
	}
	for (const value of values) judge.script(name === 'PROMPT_COMMAND' ? value : inDoubleQuotes(value), setting);
}

/** Judges what sets such a variable without an assignment: loops and defaults. */
export function judgeRunNode(node: SyntaxNode, place: CommandPlace): void {
	if (node.type === 'For' || node.type === 'Select') {
		const name = node.name.value;
		if (!isRunByShells(name)) return;
		const setting = place.settingOf(node);
		const words = node.type === 'For' ? node.wordlist?.map((word) => wordValues(word, setting.variables)) : undefined;
		const isKnown = words?.every((each) => each !== undefined);
		judgeRun(name, isKnown ? words?.flatMap((each) => each ?? []) : undefined, setting, place);
	} else if (node.type === 'ParameterExpansion' && isRunByShells(node.parameter)) {
		const { operation } = node;
		if (operation?.type !== 'Default' || !operation.operator.endsWith('=')) return;
		const setting = place.settingOf(node);
		judgeRun(node.parameter, wordValues(operation.operand, setting.variables), setting, place);
	}
}

/** Judges the words of a builtin that sets such a variable by its name. */
export function judgeRunWords(fields: readonly Field[], setting: Setting, place: CommandPlace): void {
	const start = fields.findIndex((field) => !/^(?:command|builtin|--|-p)$/.test(knownText(field) ?? ''));
	const builtin = knownText(fields[start]) ?? '';
	const words = fields.slice(start + 1);
	if (!SETS.test(builtin) || (builtin === 'printf' && !knownText(words[0])?.startsWith('-v'))) return;
	const declares = DECLARES.test(builtin);
	for (const field of builtin === 'printf' ? words.slice(0, 2) : words) {
		const text = knownText(field);
		if (text !== undefined) judgeWord(text, declares, setting, place);
		else if (isOpen(field)) place.judge.unknowable(fields, RUNS_VALUE, setting);
	}
}

function judgeWord(word: string, declares: boolean, setting: Setting, place: CommandPlace): void {
	const [, name = '', sign = '', value = ''] =
		/^(?:-\w*?(?=[A-Z]))?([A-Z_][A-Z_\d]*)(?!\w)(\+?=|\[)?(.*)$/s.exec(word) ?? [];
	if (!isRunByShells(name) || (declares && sign === '')) return;
	judgeRun(name, declares && sign === '=' ? [value] : undefined, setting, place);
}

/** A word that is not known, in which such a name stands: not as the value of another. */
function isOpen({ raw }: Field): boolean {
	const [, assigned] = /^["']?([A-Za-z_]\w*)\+?=/.exec(raw) ?? [];
	if (assigned !== undefined) return isRunByShells(assigned);
	return /(?<![\w${])(?:PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV)(?!\w)/.test(raw);
}
