import type { Judge, Setting } from './judging.ts';
import { type OptionsRead, readOptions } from './option-words.ts';
import { type Field, isOneWord, knownStart, knownText, shellText, textField } from './shell-field.ts';
import { withNames } from './shell-variables.ts';
import { lists, type Wrapper } from './wrapper-table.ts';

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Judges the command that a wrapper would run. */
export function readWrapper(wrapper: Wrapper, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const read = readOptions(fields.slice(1), wrapper);
	const has = (names: string | true | undefined): boolean => read.options.some(({ name }) => lists(names, name));
	if (has(wrapper.onlyReports)) return;
	const scripts = read.options.filter(({ name }) => lists(wrapper.scripts, name));
	for (const { value } of scripts) judgeText(value ? [value] : [], fields, setting, judge);
	const guesses = wrapper.guesses ?? wrapper.anyWord;
	if (guesses && wrapper.scripts) judgeCalls(wrapper, fields, setting, judge);
	if (setting.isGuess) return;
	if (wrapper.after) guessAfter(wrapper, fields, setting, judge);
	else if (read.stopped === 'unknown-word') judgeAround(wrapper, read.rest, fields, setting, judge);
	else if (guesses || read.stopped) guessCommand(read.rest, setting, judge, wrapper.anyWord);
	else judgeRest(wrapper, read, fields, setting, judge);
}

/** An unknown word may be an option, its value or one of the words before the command: the command follows soon. */
function judgeAround(
	wrapper: Wrapper,
	rest: readonly Field[],
	fields: readonly Field[],
	setting: Setting,
	judge: Judge,
): void {
	const words = Number(wrapper.words ?? 0);
	if (words === 0 || !rest[0] || !isOneWord(rest[0])) {
		return judge.unknowable(fields, 'a word before the command is not known', setting);
	}
	for (let at = 1; at <= words + 2; at += 1) judge.words(rest.slice(at), setting);
}

function judgeRest(wrapper: Wrapper, read: OptionsRead, fields: readonly Field[], around: Setting, judge: Judge): void {
	const { startsShell } = wrapper;
	const words = Number(wrapper.words ?? 0);
	const assigned = wrapper.assigns ? assignedNames(read.rest) : [];
	const setting = assigned.length > 0 ? { ...around, variables: withNames(assigned, around.variables) } : around;
	const from = read.rest.slice(assigned.length);
	if (assigned.length > 0 && from[0] && knownStart(from[0]).startsWith('-')) {
		return readWrapper(wrapper, [...fields.slice(0, 1), ...from], setting, judge);
	}
	if (!from.slice(0, words).every(isOneWord)) {
		return judge.unknowable(fields, 'a word before the command is not known', setting);
	}
	const after = from.slice(words);
	const rest = wrapper.moreOptions ? readOptions(after, wrapper).rest : after;
	if (rest.length === 0) {
		// Only a text in the line itself is judged; a person's typing is their own.
		const isGiven = setting.redirects.some(({ operator }) => operator.startsWith('<<'));
		if (wrapper.readsInput && isGiven) judge.words([textField('sh')], setting);
		const starts = startsShell === true || read.options.some(({ name }) => lists(startsShell, name));
		if (starts) judge.unknowable(fields, 'it starts a shell that reads its commands from its input', setting);
	} else if (wrapper.scripts && /^-c$|^--command$/.test(knownText(rest[0]) ?? '')) {
		judgeText(rest.slice(1, 2), fields, setting, judge);
	} else if (wrapper.joins) judgeText(rest, fields, setting, judge);
	else judge.words(rest, setting);
}

/** `npx -c TEXT`, `npm exec --call=TEXT`: their other options are unknown. */
function judgeCalls({ scripts, after }: Wrapper, fields: readonly Field[], setting: Setting, judge: Judge): void {
	if (after && !fields.some((field) => lists(after, knownText(field) ?? ''))) return;
	for (const [index, field] of fields.entries()) {
		const [, name = '', text] = /^--?(\w+)(?:=([\s\S]*))?$/.exec(knownText(field) ?? '') ?? [];
		if (!lists(scripts, name)) continue;
		judgeText(text === undefined ? fields.slice(index + 1, index + 2) : [textField(text)], fields, setting, judge);
	}
}

/** The variables that words set before the command. */
export function assignedNames(fields: readonly Field[]): string[] {
	const names: string[] = [];
	for (const field of fields) {
		const [start] = ASSIGNMENT.exec(knownStart(field)) ?? [];
		if (start === undefined || !isOneWord(field)) break;
		names.push(start.slice(0, -1));
	}
	return names;
}

/** Words that are joined to one text for a shell. */
export function judgeText(words: readonly Field[], fields: readonly Field[], setting: Setting, judge: Judge): void {
	const texts = words.map(knownText);
	if (texts.every((text) => text !== undefined)) {
		judge.script(texts.join(' '), setting);
	} else judge.unknowable(fields, 'the text that a shell is given is not known', setting);
}

/**
 * Finds a command after options of which it is unknown whether they take a value: each word after an option may be the command,
 * and a word after another surely is, unless options have several `values`.
 */
export function guessCommand(
	fields: readonly Field[],
	setting: Setting,
	judge: Judge,
	values: true | false = false,
): void {
	let mayBeValue = values;
	for (const [index, field] of fields.entries()) {
		const start = knownStart(field);
		if (ASSIGNMENT.test(start)) continue;
		if (start.startsWith('-')) {
			mayBeValue = values || (!start.includes('=') && start !== '--');
			continue;
		}
		// A package with a version: `npx rm@1`.
		const [, name, version] = /^([^@=[]+)(@|==|\[)./.exec(start) ?? [];
		if (name !== undefined && version !== undefined) judge.mayRun(shellText([textField(name)]), setting);
		judge.words(fields.slice(index), mayBeValue ? { ...setting, isGuess: true } : setting);
		if (!mayBeValue && !values) return;
		mayBeValue = values;
	}
}

function guessAfter(wrapper: Wrapper, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const { after, anyWord, own } = wrapper;
	if (fields[1] && knownText(fields[1]) === undefined) {
		return judge.unknowable(fields, 'what it is to do is not known', setting);
	}
	const index = fields.findIndex((field, position) => position > 0 && lists(after, knownText(field) ?? ''));
	if (index > 0) return guessCommand(fields.slice(index + 1), setting, judge, anyWord);
	if (own === undefined) return;
	const first = fields.findIndex((field, position) => position > 0 && !knownStart(field).startsWith('-'));
	const name = knownText(fields[first]);
	if (name !== undefined && !lists(own, name)) {
		judge.mayRun(shellText(fields.slice(first)), setting);
	}
}
