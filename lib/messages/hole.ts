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
