import type { CommandReader, Judge, Setting } from './judging.ts';
import { readOptions } from './option-words.ts';
import { isSetup } from './read-shell.ts';
import { judgeText } from './read-wrapper.ts';
import { type Field, knownStart, knownText } from './shell-field.ts';
import { inDoubleQuotes, judgeSet } from './special-variables.ts';
import { printsFile } from './substitution-output.ts';

const readEval: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(knownText(fields[1]) === '--' ? 2 : 1);
	const texts = words.map(knownText);
	if (texts.every((text) => text !== undefined)) return judge.script(texts.join(' '), setting, 'here');
	const [only] = words;
	if (words.length !== 1 || !only || !isSetup(only, setting)) {
		judge.unknowable(fields, 'the text that it runs is not known', setting);
	}
};

/** The text of a trap can run at any later time. */
const readTrap: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(knownText(fields[1]) === '--' ? 2 : 1);
	const text = knownText(words[0]);
	if (words[0] && text === undefined) return judge.unknowable(fields, 'the text that it runs is not known', setting);
	if (text === undefined || /^-[pPl]?$/.test(text) || words.length < 2) return;
	judge.script(text, setting);
};

const readAlias: CommandReader = (fields, setting, judge) => {
	for (const field of fields.slice(1)) {
		const text = knownText(field);
		if (text === undefined) judge.unknowable(fields, 'what the alias stands for is not known', setting);
		const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text ?? '') ?? [];
		if (name === undefined || value === undefined) continue;
		if (/[\s\\]$/.test(value)) judge.unknowable(fields, 'what stands behind the alias is changed, too', setting);
		judge.alias(name, value);
		judge.script(value, setting);
	}
};

const readHash: CommandReader = (fields, setting, judge) => {
	const { options, stopped } = readOptions(fields.slice(1), { short: 'lrdtp:' });
	if (stopped) judge.unknowable(fields, 'what it takes a name for is not known', setting);
	for (const { name, value } of options) if (name === 'p' && value) judge.words([value], setting);
};

/** Options that name a command to run: `mapfile -C`, `compgen -C`, `complete -C`. */
const readCallback: CommandReader = (fields, setting, judge) => {
	for (const [position, field] of fields.entries()) {
		const text = knownText(field);
		const [, option, attached] = /^-[abcdefgjksuvprtDEI]*([CW])(.*)$/s.exec(text ?? '') ?? [];
		if (option === 'C' && attached === '') judgeText(fields.slice(position + 1, position + 2), fields, setting, judge);
		else if (option === 'C') judge.script(attached ?? '', setting);
		else if (option) judge.script(inDoubleQuotes(attached || (knownText(fields[position + 1]) ?? '')), setting);
	}
	judgeNames(fields.slice(1), fields, setting, judge);
};

/** The names that are set must be in the line: an unknown one could be a variable that shells run, or find programs by. */
function judgeNames(
	names: readonly (Field | undefined)[],
	fields: readonly Field[],
	setting: Setting,
	judge: Judge,
): void {
	for (const field of names) {
		const text = knownText(field);
		if (text === undefined) judge.unknowable(fields, 'the name that it sets is not known', setting);
		else judgeSet(/^\w*/.exec(text)?.[0] ?? '', () => undefined, setting, judge);
	}
}

const readRead: CommandReader = (fields, setting, judge) => {
	const { options, rest, stopped } = readOptions(fields.slice(1), { short: 'ersa:d:i:n:N:p:t:u:' });
	if (stopped) judge.unknowable(fields, 'the name that it sets is not known', setting);
	judgeNames([...rest, ...options.flatMap(({ name, value }) => (name === 'a' ? [value] : []))], fields, setting, judge);
};

/** `getopts LETTERS NAME` */
const readGetopts: CommandReader = (fields, setting, judge) => judgeNames(fields.slice(2, 3), fields, setting, judge);

/** `printf -v NAME`; an unknown first word may be `-vNAME` if another follows. */
const readPrintf: CommandReader = (fields, setting, judge) => {
	const [, first, second] = fields;
	const start = first && knownStart(first);
	if (first && second && (start === '-v' || (start === '' && knownText(first) === undefined))) {
		judgeNames([knownText(first) === undefined ? first : second], fields, setting, judge);
	} else if (start?.startsWith('-v'))
		judgeNames([{ raw: first?.raw ?? '', text: first?.text.slice(2) ?? '' }], fields, setting, judge);
};

/** Earlier input runs again, or text is added to the history. */
const readHistory: CommandReader = (fields, setting, judge) => {
	const [name, ...words] = fields.map(knownText);
	const isHarmless = name?.endsWith('fc')
		? /^-\w*l/.test(words[0] ?? '')
		: words.every((word) => /^(?:-[cw]|\d+)$/.test(word ?? ''));
	if (!isHarmless) judge.unknowable(fields, 'it runs or writes the history of commands', setting);
};

/** History expansion changes a line before it is read: what then runs is not in the line. */
const readSet: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(1).map((field) => knownText(field) ?? '');
	const end = words.indexOf('--');
	const expands = (end === -1 ? words : words.slice(0, end)).some(
		(word, position, all) =>
			/^-\w*H/.test(word) || (/^-\w*o$/.test(all[position - 1] ?? '') && /^hist(?:expand|ory)$/.test(word)),
	);
	if (expands) judge.unknowable(fields, 'it lets a line change before it runs', setting);
};

/**
 * Declared names. A declaration evaluates a value with an index or in parentheses once more (`declare 'a[$(x)]=1'`, `declare -a
 * 'a=($(x))'`), so that a quoted substitution in it runs.
 */
const readDeclare: CommandReader = (fields, setting, judge) => {
	const isExported = knownText(fields[0]) === 'export';
	for (const field of fields.slice(1)) {
		const text = knownText(field);
		const [, name, value] = /^([A-Za-z_]\w*)\+?(?:=(.*))?$/s.exec(knownStart(field)) ?? [];
		if (!isExported && /^-\w*n/.test(knownStart(field))) {
			judge.unknowable(fields, 'it makes a name stand for another', setting);
		} else if (runsAgain(text ?? '')) {
			judge.unknowable(fields, 'it may run what stands in the value', setting);
		} else if (name !== undefined && value !== undefined) {
			judgeSet(name, () => (text === undefined ? undefined : [value]), setting, judge);
		} else if (text === undefined && !(isExported && isFromFile(field, setting))) {
			judgeNames([field], fields, setting, judge);
		}
	}
};

function runsAgain(text: string): boolean {
	const index = text.search(/\[|=\(/);
	return index >= 0 && /[$`]/.test(text.slice(index));
}

/** `export $(cat .env)`, `export "$LINE"`: the content of a file, or the line's environment. */
function isFromFile({ raw }: Field, { variables }: Setting): boolean {
	const [, name] = /^"?\$\{?(\w+)\}?"?$/.exec(raw) ?? [];
	return name === undefined ? printsFile(raw) : variables.isUntouched(name);
}

/** `bind -x '"KEY":COMMAND'` */
const readBind: CommandReader = (fields, setting, judge) => {
	for (const [position, field] of fields.entries()) {
		if (!/^-\w*x/.test(knownStart(field))) continue;
		const text = knownText(fields[position + 1]);
		if (text === undefined) judge.unknowable(fields, 'the text that it runs is not known', setting);
		else judge.script(text.replace(/^\s*"(?:[^"\\]|\\.)*"\s*:?\s*(?:"(.*)"\s*$)?/s, '$1'), setting);
	}
};

/** `enable -f FILE`: a builtin from a library may be anything. */
const readEnable: CommandReader = (fields, setting, judge) => {
	if (!fields.slice(1).some((field) => /^-\w*f/.test(knownStart(field)))) return;
	judge.unknowable(fields, 'it loads a command from a library', setting);
};

/** The builtins that run a text or change what is known about variables. */
export const builtinReaders: Readonly<Record<string, CommandReader>> = {
	eval: readEval,
	trap: readTrap,
	alias: readAlias,
	hash: readHash,
	mapfile: readCallback,
	readarray: readCallback,
	compgen: readCallback,
	complete: readCallback,
	fc: readHistory,
	history: readHistory,
	bind: readBind,
	enable: readEnable,
	set: readSet,
	read: readRead,
	getopts: readGetopts,
	printf: readPrintf,
	declare: readDeclare,
	typeset: readDeclare,
	local: readDeclare,
	export: readDeclare,
	readonly: readDeclare,
};
