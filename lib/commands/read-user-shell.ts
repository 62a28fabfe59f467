import type { CommandReader } from './judging.ts';
import { readOptions } from './option-words.ts';
import { SHELL_VARIABLES } from './read-signalbox.ts';
import { guessCommand, judgeText, readWrapper } from './read-wrapper.ts';
import { knownText, textField } from './shell-field.ts';
import { withNames } from './shell-variables.ts';

/** Long options with a text for a shell; getopt accepts a prefix of one. */
const TEXT_OPTIONS: readonly string[] = ['command', 'session-command'];

/** su, runuser, script: the text after `-c`, at any position, else a command in the rest or a shell. */
export const readUserShell: CommandReader = (fields, setting, judge) => {
	for (const [index, field] of fields.entries()) {
		const text = knownText(field) ?? '';
		const [, long, value] = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
		const isCommandOption = long !== undefined && TEXT_OPTIONS.some((option) => option.startsWith(long));
		const attached = isCommandOption ? value : /^-[a-zA-Z]*?c([\s\S]+)$/.exec(text)?.[1];
		if (attached !== undefined) judge.script(attached, setting);
		else if (isCommandOption || /^-\w*c$/.test(text)) {
			return judgeText(fields.slice(index + 1, index + 2), fields, setting, judge);
		}
	}
	const isCommand = fields.some((field) => /^(-\w*u|--user\b.*|--)$/.test(knownText(field) ?? ''));
	const isScript = knownText(fields[0])?.endsWith('script') === true;
	if (isCommand || (isScript && fields.length > 2)) {
		if (setting.redirects.some(({ operator }) => operator.startsWith('<<'))) judge.words([textField('sh')], setting);
		return guessCommand(fields.slice(1), { ...setting, isGuess: undefined }, judge, isScript);
	}
	judge.unknowable(fields, 'it starts a shell that reads its commands from its input', setting);
};

const ENV = {
	short: 'i0vu:C:S:P:',
	long: 'ignore-environment null debug unset= chdir= split-string= block-signal list-signal-handling default-signal ignore-signal',
	assigns: true,
} as const;

/** `env`: its variables, and the words that `-S` splits from a text. */
export const readEnv: CommandReader = (fields, around, judge) => {
	const { options, rest } = readOptions(fields.slice(1), ENV);
	const takesAway = options.some(({ name }) => ['i', 'u', 'ignore-environment', 'unset'].includes(name));
	const isMoved = takesAway || knownText(rest[0]) === '-';
	const setting = isMoved ? { ...around, variables: withNames(SHELL_VARIABLES, around.variables) } : around;
	const split = options.find(({ name }) => name === 'S' || name === 'split-string');
	if (!split) {
		const words = knownText(rest[0]) === '-' ? [...fields.slice(0, 1), ...rest.slice(1)] : fields;
		return readWrapper(ENV, words, setting, judge);
	}
	const text = knownText(split.value);
	if (text === undefined || /[\\$]/.test(text)) {
		return judge.unknowable(fields, 'the words that it runs are not known', setting);
	}
	const words = text.replace(/['"]/g, '').split(/\s+/).filter(Boolean).map(textField);
	judge.words([...fields.slice(0, 1), ...words, ...rest], setting);
};
