import { type Field, knownStart, knownText } from '../shell-field.ts';

export interface OptionValue {
	option: string;
	/** Undefined if the line ends before it. */
	value: Field | undefined;
	/** Index of the word after it. */
	next: number;
	/** The letters before it in the same word may take the rest as their value. */
	isGuess: boolean;
}

interface Options {
	letters: string;
	long: readonly string[];
	/** Names of the options after two dashes, and of those with one dash. */
	names: readonly string[];
	single: readonly string[];
	/** An option may begin without a sign, so each word may be one. */
	hasBare: boolean;
}

const read = new Map<string, Options>();

/** Parses the options of a row: `-x --exec -wrapper`. */
function optionsOf(written: string): Options {
	const known = read.get(written);
	if (known) return known;
	const words = written.split(' ').filter(Boolean);
	const long = words.flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : []));
	const single = words.filter((word) => /^-[^-]./.test(word) || /^[^-+]/.test(word));
	const options = {
		letters: words.flatMap((word) => (/^[-+].$/.test(word) ? [word[1]] : word === '+' ? ['+'] : [])).join(''),
		long,
		names: [...long, ...single.filter((each) => each.startsWith('-')).map((each) => each.slice(1))],
		single,
		hasBare: single.some((each) => !each.startsWith('-')),
	};
	read.set(written, options);
	return options;
}

/** Every occurrence of one of these options among the words, with its value attached (`-xVALUE`, `--exec=VALUE`) or not. */
export function optionValues(words: readonly Field[], written: string, flags = ''): OptionValue[] {
	const options = optionsOf(written);
	const found: OptionValue[] = [];
	for (const [index, word] of words.entries()) {
		if (!options.hasBare && !/^[-+]/.test(word.text)) continue;
		const start = knownStart(word);
		if (start === '--' && !options.long.includes('')) break;
		const one = start.startsWith('--') ? longOption(word, start, options) : shortOption(word, start, options, flags);
		if (!one) continue;
		const isAttached = one.attached !== undefined;
		found.push({
			option: one.option,
			isGuess: one.isGuess ?? false,
			value: isAttached ? { raw: word.raw, text: word.text.slice(one.attached) } : words[index + 1],
			next: isAttached ? index + 1 : index + 2,
		});
	}
	return found;
}

interface Found {
	option: string;
	/** Where the attached value begins. */
	attached?: number | undefined;
	isGuess?: boolean;
}

/** An unambiguous prefix of at least this many letters counts as the option, as in getopt. */
const MIN_PREFIX = 3;

function longOption(word: Field, start: string, { long, names }: Options): Found | undefined {
	const [given = ''] = start.slice(2).split('=', 1);
	const isWhole = start.length > given.length + 2 || knownText(word) !== undefined;
	if (!isWhole) return undefined;
	const exact = names.find((name) => name.replace(/=$/, '') === given);
	const name = exact ?? (given.length >= MIN_PREFIX ? long.find((each) => each.startsWith(given)) : undefined);
	if (name === undefined) return undefined;
	const hasValue = start[given.length + 2] === '=';
	if (name.endsWith('=') && !hasValue) return undefined;
	return { option: `--${name.replace(/=$/, '')}`, attached: hasValue ? given.length + 3 : undefined };
}

function shortOption(word: Field, start: string, { letters, single }: Options, flags: string): Found | undefined {
	const name = single.find((each) => start === each || start.startsWith(`${each}=`) || start.startsWith(`${each}:`));
	if (name !== undefined) return { option: name, attached: start === name ? undefined : name.length + 1 };
	if (start.length > 1 && start.startsWith('+') && letters.includes('+')) return { option: '+', attached: 1 };
	const cluster = /^-(\w+)/.exec(start)?.[1] ?? '';
	const context = [...cluster].findIndex((letter) => letters.includes(letter));
	if (context < 0) return undefined;
	const rest = context + 2 + (start[context + 2] === '=' ? 1 : 0);
	return {
		option: `-${cluster[context]}`,
		attached: rest < word.text.length ? rest : undefined,
		isGuess: ![...cluster.slice(0, context)].every((letter) => flags.includes(letter)),
	};
}
