import type { chinese } from './chinese.ts';
import type { Language } from './language.ts';
import {
	type Filling,
	fillSentence,
	HOLE,
	type Hole,
	NOTE,
	type WordedRecord,
	type Words,
	wordsOf as wordsOfField,
} from './sentence.ts';

/**
 * Every message, by its English words. It may have holes, `{name}`; `{count:call|calls}` is the word for a number; the part after
 * `#` distinguishes two meanings of the same English words and is not shown.
 */
export type Message = keyof typeof chinese;

export type Plain = { [Text in Message]: [Hole<Text>] extends [never] ? Text : never }[Message];

export type Dictionary = Readonly<Record<string, string>>;

/** Puts a message into the reader's language. Numbers are formatted by Intl; text is inserted unchanged. */
export interface Say {
	<Text extends Message>(message: Text, ...filling: Filling<Text>): string;
	readonly language: Language;
	/** Our sentences in this language; agent text in them stays unchanged. */
	sentence(words: Words): string;
	/** A field that `inWords` has made. */
	field<Field extends string>(record: WordedRecord<Field>, name: Field): string;
	/** A message of ours by its English words. Not for agents' text, which may equal one by chance. */
	known(text: string): string;
	pieces<Text extends Message, Value>(message: Text, ...filling: Filling<Text, Value>): (string | Value)[];
}

/** Without a dictionary, or without an entry in it, a message stays English. */
export function sayIn(language: Language, dictionary: Dictionary | null): Say {
	const numbers = new Intl.NumberFormat(language);
	const plurals = new Intl.PluralRules(language);
	const find = (message: string) =>
		dictionary && Object.hasOwn(dictionary, message) ? dictionary[message] : undefined;
	const wordsOf = (message: string) => find(message) ?? message.replace(NOTE, '');
	const known = (text: string) => find(text) ?? text;
	const inHole = <Value>(value: Value, one: string | undefined, other: string | undefined): string | Value => {
		if (one !== undefined && other !== undefined) return plurals.select(Number(value)) === 'one' ? one : other;
		return typeof value === 'number' ? numbers.format(value) : value;
	};
	function pieces<Value>(message: string, values: Readonly<Record<string, Value>> = {}): (string | Value)[] {
		// A match has the text before it, the hole's name, and the two words for a number, if any.
		const parts = wordsOf(message).split(HOLE);
		const found: (string | Value)[] = [];
		for (let index = 0; index < parts.length; index += 4) {
			const [text = '', name, one, other] = parts.slice(index, index + 4);
			if (text !== '') found.push(text);
			const value = name === undefined ? undefined : values[name];
			if (value !== undefined) found.push(inHole(value, one, other));
		}
		return found;
	}
	const translate = (message: string, values?: Readonly<Record<string, string | number>>) =>
		values === undefined ? wordsOf(message) : pieces(message, values).join('');
	const sentence = (words: Words) => fillSentence(words, wordsOf);
	const field = <Field extends string>(record: WordedRecord<Field>, name: Field) =>
		sentence(wordsOfField(record, name));
	return Object.assign(translate, { language, sentence, field, known, pieces });
}

export const english = sayIn('en', null);
