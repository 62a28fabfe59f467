import type { SessionView } from '../contract/sessions/read-model/session-view.ts';

export function emptyView(sessionId: string): SessionView {
	return {
		sessionId,
		seq: 0,
		turn: 'idle',
		agents: [],
		calls: [],
		approvals: [],
		mismatches: [],
		supervisor: [],
		counters: {
			events: 0,
			prompts: 0,
			calls: 0,
			errors: 0,
			denials: 0,
			overrides: 0,
			mismatches: 0,
			fails: 0,
			rejects: 0,
			unclear: 0,
			retries: 0,
			warnings: 0,
			gaps: 0,
			unverified: 0,
			deniedButRan: 0,
			alarms: 0,
		},
		activity: { minute: 0, counts: [] },
	};
}

/** A list and not a record: copying one is a block copy, while new keys cost the engine a hidden class each. */
type KeyedList<T> = readonly T[];

export function find<K extends string, T extends Record<K, string>>(
	list: KeyedList<T>,
	key: K,
	id: string | undefined,
) {
	for (let index = list.length - 1; index >= 0; index--) if (list[index]?.[key] === id) return list[index];
	return undefined;
}

/** As `find` for calls: a named field is read several times as fast. */
export function findCall<T extends { toolUseId: string }>(calls: KeyedList<T>, toolUseId: string): T | undefined {
	for (let index = calls.length - 1; index >= 0; index--)
		if (calls[index]?.toolUseId === toolUseId) return calls[index];
	return undefined;
}

export function withEntry<T>(list: KeyedList<T>, before: T | undefined, entry: T): T[] {
	// By identity: comparing ids costs more than all else that a new call changes in the view.
	const index = before === undefined ? -1 : list.lastIndexOf(before);
	return index === -1 ? [...list, entry] : list.with(index, entry);
}

/**
 * Keeps the newest `keep` open entries and as many closed ones; trimmed rarely, so that the cost is spread. Open ones are limited
 * too: no timeline may make a view grow without end.
 */
export function trim<T>(list: T[], isOpen: (entry: T) => boolean, keep: number): T[] {
	if (list.length <= keep * 3) return list;
	const open = list.filter(isOpen).slice(-keep);
	const closed = list.filter((entry) => !isOpen(entry)).slice(-keep);
	const kept = new Set([...open, ...closed]);
	return list.filter((entry) => kept.has(entry));
}

export const latest = (a: string | undefined, b: string | undefined) => (!a || (b && b > a) ? b : a);

export const earliest = (a: string | undefined, b: string | undefined) => (!a || (b && b < a) ? b : a);

/** A total order, so that the result does not depend on arrival. */
export const isLater = (a: { ts: string; id: string }, b: { ts: string; id: string }) =>
	a.ts > b.ts || (a.ts === b.ts && a.id > b.id);
