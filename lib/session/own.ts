/** Reads a record keyed by agent-given ids: "constructor" and "__proto__" are ids like any other. */
export function own<T>(record: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
	return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The record with one entry set; never touches a prototype. */
export function withEntry<T>(record: Readonly<Record<string, T>>, key: string, value: T): Record<string, T> {
	return { ...record, [key]: value };
}

/**
 * Keeps every open entry and the newest closed ones. Trims in strides (at twice `keep`), so that a
 * long session does not copy its record at every event.
 */
export function trimClosed<T>(record: Record<string, T>, isOpen: (value: T) => boolean, keep: number) {
	const entries = Object.entries(record);
	if (entries.length <= keep * 2) return record;
	const closed = entries.filter(([, value]) => !isOpen(value));
	if (closed.length <= keep) return record;
	const dropped = new Set(closed.slice(0, closed.length - keep).map(([key]) => key));
	return Object.fromEntries(entries.filter(([key]) => !dropped.has(key)));
}

/** The later of two ISO instants; either may be missing. */
export const latest = (a: string | undefined, b: string | undefined) => (!a || (b && b > a) ? b : a);

/** The earlier of two ISO instants; either may be missing. */
export const earliest = (a: string | undefined, b: string | undefined) => (!a || (b && b < a) ? b : a);

/** A total order over events, so that which of two wins does not depend on their arrival. */
export const isLater = (a: { ts: string; id: string }, b: { ts: string; id: string }) =>
	a.ts > b.ts || (a.ts === b.ts && a.id > b.id);
