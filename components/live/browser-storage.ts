import { parsedJson } from '#lib/json/json.ts';
/** What this browser stored under a key; null where it has nothing, or its storage is switched off. */
export function readStored(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

/** Stores a text under a key; false where the browser stores nothing. */
export function writeStored(key: string, value: string): boolean {
	try {
		localStorage.setItem(key, value);
		return true;
	} catch {
		return false;
	}
}

/** A stored list; empty where something else is stored. */
export function readStoredList(key: string): readonly unknown[] {
	const value = parsedJson(readStored(key) ?? '');
	return Array.isArray(value) ? value : [];
}
