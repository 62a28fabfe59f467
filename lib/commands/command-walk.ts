import type { Assignment, Command, Word } from 'unbash';
import type { CommandContext, Setting } from './judging.ts';
import { judgeForPrograms } from './programs/judge-environment.ts';
import { type Field, knownText, MARKS } from './shell-field.ts';
import { isPlain, setsNames } from './shell-variables.ts';
import { expandWords, wordValues } from './word-fields.ts';

/** Judges one simple command: what it sets, and the command itself. */
export function walkCommand(command: Command, context: CommandContext): void {
	const setting = context.settingOf(command, command.name?.pos);
	const assigned = [...command.prefix, ...command.suffix].filter((part) => part.type === 'Assignment');
	for (const each of assigned) judgeAssigned(each, setting, context);
	const { name } = command;
	if (!name) return;
	judgeAlias(command, name, setting, context);
	const words = command.args.filter((arg) => arg.type === 'Word');
	const declared = command.args
		.filter((arg) => arg.type === 'Assignment')
		.map((each) => assignmentField(each, setting));
	const whole = { ...setting, redirects: command.redirects };
	for (const fields of expandWords([name, ...words], setting.variables)) {
		if (!isPlain(name) && setsNames(knownText(fields[0]) ?? '')) {
			context.judge.unknowable(fields, 'that it sets variables shows only when it runs', whole);
		}
		context.judge.words([...fields, ...declared], whole);
	}
}

function assignmentField({ name, value, text }: Assignment, { variables }: Setting): Field {
	const values = value.type === 'Word' ? wordValues(value, variables) : undefined;
	return { raw: text, text: `${name}=${values?.length === 1 ? values[0] : MARKS.oneWord}` };
}

function judgeAssigned({ name, value }: Assignment, setting: Setting, context: CommandContext): void {
	if (value.type !== 'Word') return;
	for (const fields of expandWords([value], setting.variables)) {
		const text = fields.map((field) => field.text).join(' ');
		judgeForPrograms(name, { raw: value.text, text }, setting, context.judge);
	}
}

/** An alias of this line may stand for the name, with the words after it. */
function judgeAlias(command: Command, { text, value, end }: Word, setting: Setting, context: CommandContext): void {
	const meaning = text === value ? context.judge.aliasOf(text) : undefined;
	if (meaning === undefined || setting.aliases?.includes(text)) return;
	const aliases = [...(setting.aliases ?? []), text];
	const line = `${meaning} ${setting.source.slice(end, command.end)}`;
	context.judge.script(line, { ...setting, aliases }, 'here');
}
