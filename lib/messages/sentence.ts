import type { chinese } from './chinese.ts';

/** A hole of a message: `{name}`, or the word for a number, `{count:call|calls}`. */
export const HOLE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

/** Distinguishes two meanings of the same English words; not shown. */
export const NOTE = /#[a-z]+$/;

/** The names of a message's holes. */
export type Hole<Text> = Text extends `${string}{${infer Inner}}${infer Rest}`
	? (Inner extends `${infer Name}:${string}` ? Name : Inner) | Hole<Rest>
	: never;

/** The values for a message's holes. */
export type Filling<Text, Value = string | number> = [Hole<Text>] extends [never]
	? []
	: [values: Readonly<Record<Hole<Text>, Value>>];

/** A message that is made far from its reader, and translated where it is shown. */
export interface Sentence {
	readonly id: keyof typeof chinese;
	readonly values?: Readonly<Record<string, Words>>;
}

/** Text of an agent, a person or a file, which stays unchanged; a sentence of ours; or several, joined by ` · `. */
export type Words = string | number | Sentence | readonly Words[];

/** A message of ours that is translated where it is shown; values may be agent text or further sentences (decision 0057). */
export function sentence<Text extends keyof typeof chinese>(id: Text, ...[values]: Filling<Text, Words>): Sentence {
	return values === undefined ? { id } : { id, values };
}

/** Numbers in it have no separators: they may be a port, a version or a row. */
export function fillSentence(words: Words, wordsOf: (id: string) => string): string {
	if (isSeveral(words))
		return words
			.map((each) => fillSentence(each, wordsOf))
			.filter(Boolean)
			.join(' · ');
	if (typeof words !== 'object') return String(words);
	const { id, values = {} } = words;
	// A recorded field that is no text, as a forged archive may have one.
	if (typeof id !== 'string') return '';
	return wordsOf(id).replace(HOLE, (_hole, name: string, one?: string, other?: string) => {
		const value = values[name] ?? '';
		if (one === undefined || other === undefined) return fillSentence(value, wordsOf);
		return Number(value) === 1 ? one : other;
	});
}

/** For terminals, programs, files and models. */
export const inEnglish = (words: Words): string => fillSentence(words, (id) => id.replace(NOTE, ''));

/** A list of sentences as one; `list` joins two. */
export const listed = (
	words: readonly Words[],
	list: '{first}, {more}' | '{first}; {more}' = '{first}, {more}',
): Words => (words.length === 0 ? '' : words.reduceRight((more, first) => sentence(list, { first, more })));

/** The fields of a record that are not only text; `say.field` translates them. */
export interface Worded<Field extends string> {
	readonly sentences?: { readonly [Name in Field]?: Words } | undefined;
}

/**
 * The fields in English for readers of an interface or a file, and in `sentences` those that contain one of ours. `clip` limits
 * each text, also within a sentence.
 */
export function inWords<Fields extends Readonly<Record<string, Words | undefined>>>(
	fields: Fields,
	clip = (text: string) => text,
): { [Name in keyof Fields]: string } & Worded<keyof Fields & string> {
	const named = Object.entries(fields).flatMap(([name, words]) => (words === undefined ? [] : [{ name, words }]));
	const kept = named.filter(({ words }) => hasSentence(words));
	const entries = (of: typeof named, made: (words: Words) => Words) =>
		Object.fromEntries(of.map(({ name, words }) => [name, made(words)]));
	return {
		...entries(named, (words) => clip(inEnglish(words))),
		...(kept.length > 0 && { sentences: entries(kept, (words) => eachText(words, clip)) }),
	} as ReturnType<typeof inWords<Fields>>;
}

/** A record with fields from `inWords`; a field may be missing. */
export type WordedRecord<Field extends string> = {
	readonly [Name in Field]?: string | null | undefined;
} & Worded<Field>;

/** A field as it was passed to `inWords`. */
export const wordsOf = <Field extends string>(record: WordedRecord<Field>, name: Field): Words =>
	record.sentences?.[name] ?? record[name] ?? '';

const isSeveral = (words: Words): words is readonly Words[] => Array.isArray(words);

const hasSentence = (words: Words): boolean => (isSeveral(words) ? words.some(hasSentence) : typeof words === 'object');

/** The same words with all text changed that is not a sentence of ours. */
export function eachText(words: Words, change: (text: string) => string): Words {
	if (typeof words === 'string') return change(words);
	if (isSeveral(words)) return words.map((each) => eachText(each, change));
	if (typeof words !== 'object' || !words.values) return words;
	const values = Object.entries(words.values).map(([name, value]) => [name, eachText(value, change)]);
	return { ...words, values: Object.fromEntries(values) };
}
