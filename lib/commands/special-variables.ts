import type { SyntaxNode } from 'unbash';
import { namesDevice } from './device-path.ts';
import type { Judge, Setting } from './judging.ts';
import { judgeForPrograms } from './programs/judge-environment.ts';
import { type Field, knownText, lineText, textField, unknownField } from './shell-field.ts';
import type { ShellVariables } from './shell-variables.ts';

/** Variables whose value a shell expands or runs by itself. */
const RUN_BY_SHELLS = /^(?:PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV|MAILPATH|BASH_FUNC_.*)$/;
/** Tables in which the shell looks up what a name runs, and an unknown name, which may be one of them. */
const CHANGES_NAMES = /^(?:BASH_CMDS|BASH_ALIASES|!)$/;
/** An octal number for `$`, a backquote or a backslash in a prompt. */
const OCTAL = /\\(?:044|140|134)/;
const SHELL = /\b(?:ba|da|k|z)?sh\b|\bash\b/;

/** Judges the assignments of a text to variables that shells run, except those of its builtins. */
export function judgeVariables(
	variables: ShellVariables,
	settingOf: (node: SyntaxNode) => Setting,
	judge: Judge,
): void {
	for (const [name, setters] of variables.byName) {
		for (const setter of setters) {
			const { node } = setter;
			if (node.type !== 'Assignment' && !isDeclared(node))
				judgeGiven(name, variables.valuesOf(setter), settingOf(node), judge);
			if (node.type !== 'Command') judgeSet(name, () => variables.valuesOf(setter), settingOf(node), judge);
		}
	}
}

/** `export NAME` assigns nothing. */
const isDeclared = (node: SyntaxNode): boolean =>
	node.type === 'Command' && !/^(?:read|printf|mapfile|readarray|getopts)$/.test(node.name?.value ?? '');

/** A variable that a loop or a builtin sets, for the programs that run its value. */
function judgeGiven(name: string, values: readonly string[] | undefined, setting: Setting, judge: Judge): void {
	const fields = values?.map(textField) ?? [unknownField(name, false)];
	for (const field of fields) judgeForPrograms(name, field, setting, judge);
}

/** Judges the assignment of one variable; its value is undefined if unknown. */
export function judgeSet(
	name: string,
	valuesOf: () => readonly string[] | undefined,
	setting: Setting,
	judge: Judge,
): void {
	if (CHANGES_NAMES.test(name)) judge.unknowable([textField(name)], 'it changes what names stand for', setting);
	if (!RUN_BY_SHELLS.test(name)) return;
	const values = valuesOf();
	// Deployments often use this name for something else; only a shell runs it.
	if (!values && name === 'ENV' && !SHELL.test(setting.source)) return;
	const isMade = name.startsWith('BASH_FUNC_') || values?.some((value) => /^PS/.test(name) && OCTAL.test(value));
	const isRead = /ENV$/.test(name) && values?.some((value) => /\/(?:dev|proc)\//.test(value) || namesDevice(value));
	if (!values || isMade || isRead) {
		return judge.unknowable([textField(name)], 'a shell runs its value, which is not known', setting);
	}
	if (/ENV$/.test(name)) judge.runsFile();
	for (const value of values) judge.script(name === 'PROMPT_COMMAND' ? value : inDoubleQuotes(value), setting);
}

/** A word may set a variable for a command after it (`env`, `sudo`), and for the one before it (`set -k`). */
export function judgeSetByWords(fields: readonly Field[], setting: Setting, judge: Judge): void {
	const isEnvironment = /^(?:env|sudo|doas)$/.test(knownText(fields[0]) ?? '');
	for (const field of fields.slice(1)) {
		const [whole = '', name] = /^(?:--setenv=|-E)?([A-Za-z_][\w%]*)\+?=/.exec(field.text) ?? [];
		if (name === undefined) continue;
		const value = lineText(field).slice(whole.length);
		const isKnown = knownText(field) !== undefined;
		judgeForPrograms(name, { raw: field.raw, text: field.text.slice(whole.length) }, setting, judge);
		if (isKnown || isEnvironment || name !== 'ENV')
			judgeSet(name, () => (isKnown ? [value] : undefined), setting, judge);
	}
}

/** A script that expands a text as double quotes do. */
export function inDoubleQuotes(text: string): string {
	return `: "${text.replace(/"/g, '\\"')}"`;
}
