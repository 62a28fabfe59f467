import type { chinese } from './chinese.ts';
import type { Language } from './language.ts';

/**
 * Every message there is, by its English words. It may have holes, `{name}`; `{count:call|calls}` is the word that goes
 * with a number; what follows `#` tells two meanings of the same English words apart and is not shown.
 */
export type Message = keyof typeof chinese;

/** The names of a message's holes. */
type Hole<Text> = Text extends `${string}{${infer Inner}}${infer Rest}`
	? (Inner extends `${infer Name}:${string}` ? Name : Inner) | Hole<Rest>
	: never;

/** A message without holes. */
export type Plain = { [Text in Message]: [Hole<Text>] extends [never] ? Text : never }[Message];

/** What fills a message's holes. */
export type Filling<Text, Value = string | number> = [Hole<Text>] extends [never]
	? []
	: [values: Readonly<Record<Hole<Text>, Value>>];

/** The words of one language for the English ones. */
export type Dictionary = Readonly<Record<string, string>>;

/** Says a message in the reader's language. Numbers are written by Intl; text is filled in as it is. */
export interface Say {
	<Text extends Message>(message: Text, ...filling: Filling<Text>): string;
	readonly language: Language;
	/** The words of a sentence that came from the server, where there are any in this language; else as it came. */
	known(sentence: string): string;
	/** A message in pieces: its words, and the holes by what fills them. */
	pieces<Text extends Message, Value>(message: Text, ...filling: Filling<Text, Value>): (string | Value)[];
}

const NOTE = /#[a-z]+$/;
const HOLE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/;

/** How one language is spoken; English needs no dictionary, for its words stand in the code. */
export function sayIn(language: Language, dictionary: Dictionary | null): Say {
	const numbers = new Intl.NumberFormat(language);
	const plurals = new Intl.PluralRules(language);
	const told = (message: string) =>
		dictionary && Object.hasOwn(dictionary, message) ? dictionary[message] : undefined;
	const wordsOf = (message: string) => told(message) ?? message.replace(NOTE, '');
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
	const say = (message: string, values?: Readonly<Record<string, string | number>>) =>
		values === undefined ? wordsOf(message) : pieces(message, values).join('');
	return Object.assign(say, { language, known: (sentence: string) => told(sentence) ?? sentence, pieces });
}

/** English, as logs and command lines speak it. */
export const english = sayIn('en', null);
