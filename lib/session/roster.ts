/**
 * A short list of things with an id, in order of their first event. A list and not a record: copying one is a block
 * copy, while a record with ever new keys costs the engine a hidden class an event. Ids are agent text; none is special.
 */
export type KeyedList<T> = readonly T[];

/** The entry with this id, looked for from the newest. */
export function find<K extends string, T extends Record<K, string>>(
	list: KeyedList<T>,
	key: K,
	id: string | undefined,
) {
	for (let index = list.length - 1; index >= 0; index--) if (list[index]?.[key] === id) return list[index];
	return undefined;
}

/** As `find` for calls, which are looked for at almost every event: a named field is read several times as fast. */
export function findCall<T extends { toolUseId: string }>(calls: KeyedList<T>, toolUseId: string): T | undefined {
	for (let index = calls.length - 1; index >= 0; index--)
		if (calls[index]?.toolUseId === toolUseId) return calls[index];
	return undefined;
}

/** The list with `entry` in the place of `before`, or at the end when that is not in it. */
export function put<T>(list: KeyedList<T>, before: T | undefined, entry: T): T[] {
	// By identity: comparing ids along the list costs more than all else that a new call does to the view.
	const index = before === undefined ? -1 : list.lastIndexOf(before);
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
