import { parsedJson } from '#lib/json/json.ts';
/** Reads a stored text; null if it is missing or storage is disabled. */
export function readStored(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

/** Stores a text; returns false if the browser does not store it. */
export function writeStored(key: string, value: string): boolean {
	try {
		localStorage.setItem(key, value);
		return true;
	} catch {
		return false;
	}
}

/** Reads a stored list; empty if the stored value is not a list. */
export function readStoredList(key: string): readonly unknown[] {
	const value = parsedJson(readStored(key) ?? '');
	return Array.isArray(value) ? value : [];
}
