/**
 * A short list of things with an id, in order of their first event. A list and not a record: copying one is a block
 * copy, while a record with ever new keys costs the engine a hidden class an event. Ids are agent text; none is special.
 */
export type Roster<T> = readonly T[];

/** The entry with this id, looked for from the newest. */
export function find<K extends string, T extends Record<K, string>>(list: Roster<T>, key: K, id: string | undefined) {
	for (let index = list.length - 1; index >= 0; index--) if (list[index]?.[key] === id) return list[index];
	return undefined;
}

/** The list with this entry in the place of the one with its id, or at the end. */
export function put<K extends string, T extends Record<K, string>>(list: Roster<T>, key: K, entry: T): T[] {
	const index = list.findLastIndex((item) => item[key] === entry[key]);
	return index === -1 ? [...list, entry] : list.with(index, entry);
}

/**
 * Keeps the newest `keep` open entries and as many closed ones; in strides, so that the cost is spread over many events.
 * Open ones are bounded too: no timeline may make a view grow without end.
 */
export function trim<T>(list: T[], isOpen: (entry: T) => boolean, keep: number): T[] {
	if (list.length <= keep * 3) return list;
	const open = list.filter(isOpen).slice(-keep);
	const closed = list.filter((entry) => !isOpen(entry)).slice(-keep);
	const kept = new Set([...open, ...closed]);
	return list.filter((entry) => kept.has(entry));
}
