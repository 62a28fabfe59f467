const KEY = 'signalbox-recent';
const MOST = 12;

/** Ids of what was chosen last in this browser, the newest first. Only ids are kept: names are read anew. */
export function readRecent(): readonly string[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
		return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : [];
	} catch {
		// Storage is off, or somebody else's.
		return [];
	}
}

/** Puts an id first. */
export function keepRecent(id: string): void {
	try {
		localStorage.setItem(KEY, JSON.stringify([id, ...readRecent().filter((other) => other !== id)].slice(0, MOST)));
	} catch {
		// It is not kept.
	}
}
