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
 * Every message there is, by its English words. It may have holes, `{name}`; `{count:call|calls}` is the word that goes
 * with a number; what follows `#` tells two meanings of the same English words apart and is not shown.
 */
export type Message = keyof typeof chinese;

export type Plain = { [Text in Message]: [Hole<Text>] extends [never] ? Text : never }[Message];

export type Dictionary = Readonly<Record<string, string>>;

/** Says a message in the reader's language. Numbers are written by Intl; text is filled in as it is. */
export interface Say {
	<Text extends Message>(message: Text, ...filling: Filling<Text>): string;
	readonly language: Language;
	/** Sentences of ours in this language; text of an agent in them as it came. */
	sentence(words: Words): string;
	/** A field that `inWords` has made. */
	field<Field extends string>(record: WordedRecord<Field>, name: Field): string;
	/** A message of ours by its English words. Not for agents' text, which may be one by chance. */
	known(text: string): string;
	pieces<Text extends Message, Value>(message: Text, ...filling: Filling<Text, Value>): (string | Value)[];
}

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
	const sentence = (words: Words) => fillSentence(words, wordsOf);
	const field = <Field extends string>(record: WordedRecord<Field>, name: Field) =>
		sentence(wordsOfField(record, name));
	return Object.assign(translate, { language, sentence, field, known, pieces });
}

export const english = sayIn('en', null);
