import { namesDevice } from '../device-path.ts';
import type { Setting } from '../judging.ts';
import { inputTexts } from '../read-shell.ts';
import { type Field, knownText } from '../shell-field.ts';

/** What a program reads: the possible texts, none for a file; or unknown, or nothing. */
export type ProgramInput = readonly string[] | 'unknown' | 'none';

/** What a command reads: from its own redirection or the construct around it. */
export function programInput(setting: Setting): ProgramInput {
	const isRedirected = setting.redirects.some(({ operator }) => operator.startsWith('<'));
	if (isRedirected) return inputTexts(setting) ?? 'unknown';
	return typeof setting.fed === 'function' ? setting.fed() : (setting.fed ?? 'none');
}

/** Programs that print the content of their files. */
const PRINTS_FILES =
	/^(?:cat|zcat|bzcat|xzcat|zstdcat|gunzip|head|tail|sort|uniq|e?grep|fgrep|pg_dump|pg_dumpall|mysqldump|mariadb-dump|git|ls|find)$/;

/** What a command prints for the next one of its pipe. */
export function pipedText(fields: readonly Field[], setting: Setting): readonly string[] | 'unknown' {
	const [name, ...words] = fields.map(knownText);
	const program = name?.replace(/^.*\//, '') ?? '';
	if (!setting.variables.isNoFunction(program)) return 'unknown';
	if (program === 'echo' || program === 'printf') {
		const text = words.every((word) => word !== undefined) ? printedText(program, words) : undefined;
		return text === undefined ? 'unknown' : [text];
	}
	if (!PRINTS_FILES.test(program)) return 'unknown';
	const input = programInput(setting);
	if (input !== 'none') return program === 'cat' && words.length === 0 ? input : 'unknown';
	return fields.every(({ raw }, index) => !raw.startsWith('<(') && !namesDevice(words[index - 1] ?? ''))
		? []
		: 'unknown';
}

function printedText(program: string, words: readonly string[]): string | undefined {
	const options = program === 'echo' ? words.findIndex((word) => !/^-[neE]+$/.test(word)) : 0;
	const [first = '', ...rest] = options < 0 ? [] : words.slice(options);
	const text = program === 'echo' ? [first, ...rest].join(' ') : formatted(first, rest);
	const plain = text?.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
	return plain === undefined || /\\/.test(plain) ? undefined : plain;
}

/** `printf` with only `%s` directives; each takes the next word, and the format is repeated for the rest. */
function formatted(form: string, words: readonly string[]): string | undefined {
	const places = form.match(/%s/g)?.length ?? 0;
	if (/%(?!s)/.test(form)) return undefined;
	if (places === 0) return form;
	const left = [...words];
	let text = '';
	do text += form.replace(/%s/g, () => left.shift() ?? '');
	while (left.length > 0);
	return text;
}
