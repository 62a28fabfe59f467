import type { CommandReader } from './judging.ts';
import { readOptions } from './option-words.ts';
import { guessCommand } from './read-wrapper.ts';
import { type Field, isFilePattern, isOneWord, knownText, MARKS, textField, unknownField } from './shell-field.ts';

const XARGS = {
	short: '0oprtxE:e::i::I:J:L:l::n:P:R:S:s:a:d:',
	long: 'null interactive no-run-if-empty verbose exit show-limits open-tty eof replace max-lines arg-file= delimiter= max-args= max-procs= max-chars= process-slot-var=',
};

/** The words that xargs appends or inserts come from its input, so they are unknown. */
export const readXargs: CommandReader = (fields, setting, judge) => {
	if (setting.isGuess) return;
	const { options, rest, stopped } = readOptions(fields.slice(1), XARGS);
	if (stopped === 'unknown-word') return judge.unknowable(fields, 'a word before the command is not known', setting);
	if (rest.length === 0) return;
	const replace = options.findLast(({ name }) => ['I', 'J', 'i', 'replace'].includes(name));
	const mark = replace && (knownText(replace.value) || '{}');
	const words = mark === undefined ? [...rest, unknownField('…', true)] : rest.map((field) => replaced(field, mark));
	if (stopped) guessCommand(words, setting, judge);
	else judge.words(words, setting);
};

function replaced(field: Field, mark: string): Field {
	const text = knownText(field);
	if (text === undefined || !text.includes(mark)) return field;
	return { raw: field.raw, text: text.replaceAll(mark, MARKS.oneWord) };
}

/** `find -exec` and its kin; the file in place of `{}` is unknown. */
export const readFind: CommandReader = (fields, setting, judge) => {
	let isOpen = false;
	let start = 0;
	for (const [index, field] of fields.entries()) {
		const text = knownText(field);
		if (!isOpen && /^-(exec|execdir|ok|okdir)$/.test(text ?? '')) {
			isOpen = true;
			start = index + 1;
		} else if (isOpen && (text === ';' || (text === '+' && knownText(fields[index - 1]) === '{}'))) {
			judge.words(
				fields.slice(start, index).map((word) => replaced(word, '{}')),
				setting,
			);
			isOpen = false;
		} else if (!isOpen && (text === ';' || (text === undefined && !isOneWord(field) && !isFilePattern(field)))) {
			judge.unknowable(fields, 'one of its words is not known and could be -exec', setting);
		}
	}
	if (isOpen) judge.words(fields.slice(start), setting);
};

const PARALLEL = {
	short: 'kqmXxrtuvN:n:L:j:P:I:a:d:E:s:S:',
	long: 'keep-order verbose dry-run dryrun bar eta progress will-cite ungroup group tag line-buffer lb null no-run-if-empty jobs= max-procs= max-args= arg-file= delay= timeout= colsep= joblog= halt= retries= results= sshlogin= delimiter=',
};

/** GNU parallel passes its words as one text to a shell; without any, each of its arguments is such a text. */
export const readParallel: CommandReader = (fields, setting, judge) => {
	if (setting.isGuess) return;
	const at = fields.findIndex((field) => /^:::\+?$|^::::\+?$/.test(knownText(field) ?? ''));
	const before = fields.slice(1, at < 0 ? fields.length : at);
	const { options, rest, stopped } = readOptions(before, PARALLEL);
	const mark = knownText(options.find(({ name }) => name === 'I')?.value) ?? '{}';
	if (stopped === 'unknown-option') guessCommand(rest, setting, judge);
	const args = at < 0 || knownText(fields[at])?.startsWith('::::') ? undefined : fields.slice(at + 1);
	const words = rest.length > 0 ? [...rest, ...(hasMark(rest) ? [] : [textField('{}')])] : args;
	const texts = words?.map(knownText);
	if (stopped === 'unknown-word' || !texts?.every((text) => text !== undefined)) {
		return judge.unknowable(fields, 'the commands that it runs are not known', setting);
	}
	const lines = rest.length > 0 ? [texts.join(' ')] : texts;
	for (const line of lines) {
		judge.script(line.replaceAll(mark, '"$_"').replace(/\{[^{}\s]*\}/g, '"$_"'), setting);
	}
};

const hasMark = (fields: readonly Field[]): boolean =>
	fields.some((field) => /\{[^{}\s]*\}/.test(knownText(field) ?? ''));
