import type { chinese } from './chinese.ts';
import type { Language } from './language.ts';
import { recognise, type SentenceTables } from './recognise.ts';
import { type Filling, HOLE, type Hole, type MessageKey, NOTE } from './sentence.ts';

/**
 * Every message there is, by its English words. It may have holes, `{name}`; `{count:call|calls}` is the word that goes
 * with a number; what follows `#` tells two meanings of the same English words apart and is not shown.
 */
export type Message = keyof typeof chinese.words | MessageKey;

export type Plain = { [Text in Message]: [Hole<Text>] extends [never] ? Text : never }[Message];

/** Where a text stands that may be one of ours. */
export type SentenceTopic = keyof typeof chinese.sentences | 'health#check' | 'health#incident';

export interface Dictionary {
	words: Readonly<Record<string, string>>;
	sentences: SentenceTables;
}

/** Says a message in the reader's language. Numbers are written by Intl; text is filled in as it is. */
export interface Say {
	<Text extends Message>(message: Text, ...filling: Filling<Text>): string;
	readonly language: Language;
	/** A text that `sentence` made in English for this topic, in this language; any other text, such as an agent’s, unchanged. */
	sentence(text: string, place: SentenceTopic): string;
	/** Any message of ours, or what the server says of itself. Not for agents' text, which may be one by chance. */
	known(text: string): string;
	pieces<Text extends Message, Value>(message: Text, ...filling: Filling<Text, Value>): (string | Value)[];
}

export function sayIn(language: Language, dictionary: Dictionary | null): Say {
	const numbers = new Intl.NumberFormat(language);
	const plurals = new Intl.PluralRules(language);
	const dictionaryWords = Object.assign({}, ...Object.values(dictionary?.sentences ?? {}), dictionary?.words);
	const find = (message: string) => (Object.hasOwn(dictionaryWords, message) ? dictionaryWords[message] : undefined);
	const wordsOf = (message: string) => find(message) ?? message.replace(NOTE, '');
	const recogniseSentence = dictionary ? recognise(dictionary.sentences) : (text: string) => text;
	const known = (text: string) =>
		find(text) ??
		[recogniseSentence(text, 'health'), recogniseSentence(text, 'hub')].find((words) => words !== text) ??
		text;
	const inHole = <Value>(value: Value, one: string | undefined, other: string | undefined): string | Value => {
		if (one !== undefined && other !== undefined) return plurals.select(Number(value)) === 'one' ? one : other;
		return typeof value === 'number' ? numbers.format(value) : value;
	};
	function pieces<Value>(message: string, values: Readonly<Record<string, Value>> = {}): (string | Value)[] {
		// A match gives the text before it, the hole's name, and the two words that go with a number, if there are any.
		const parts = wordsOf(message).split(HOLE);
		const found: (string | Value)[] = [];
		for (let at = 0; at < parts.length; at += 4) {
			const [text = '', name, one, other] = parts.slice(at, at + 4);
			if (text !== '') found.push(text);
			const value = name === undefined ? undefined : values[name];
			if (value !== undefined) found.push(inHole(value, one, other));
		}
		return found;
	}
	const translate = (message: string, values?: Readonly<Record<string, string | number>>) =>
		values === undefined ? wordsOf(message) : pieces(message, values).join('');
	return Object.assign(translate, { language, sentence: recogniseSentence, known, pieces });
}

export const english = sayIn('en', null);
