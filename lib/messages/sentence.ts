import type { sentences } from './chinese/sentences.ts';

/** Where a message is filled: `{name}`, or the word that goes with a number, `{count:call|calls}`. */
export const HOLE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

/** What tells two meanings of the same English words apart; it is not shown. */
export const NOTE = /#[a-z]+$/;

/** The names of a message's holes. */
export type Hole<Text> = Text extends `${string}{${infer Inner}}${infer Rest}`
	? (Inner extends `${infer Name}:${string}` ? Name : Inner) | Hole<Rest>
	: never;

/** What fills a message's holes. */
export type Filling<Text, Value = string | number> = [Hole<Text>] extends [never]
	? []
	: [values: Readonly<Record<Hole<Text>, Value>>];

/** A sentence that is made in English far from its reader, and said in the reader's language by the page that shows it. */
export type MessageKey = { [Topic in keyof typeof sentences]: keyof (typeof sentences)[Topic] }[keyof typeof sentences];

/**
 * The English of a sentence that servers, folds and reports give to pages, terminals and programs alike. What fills its
 * holes stands as it is: numbers without separators, other sentences within it.
 */
export function sentence<Text extends MessageKey>(message: Text, ...[values]: Filling<Text>): string {
	const filling: Readonly<Record<string, string | number>> = values ?? {};
	return message.replace(NOTE, '').replace(HOLE, (_hole, name: string, one?: string, other?: string) => {
		const value = filling[name] ?? '';
		return one === undefined || other === undefined ? String(value) : Number(value) === 1 ? one : other;
	});
}
