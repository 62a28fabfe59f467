/** A name for an address of a list. */
export interface SavedView {
	name: string;
	/** The page: that of the sessions where there is none. */
	path?: string;
	/** The query of the address, as `?q=shop`. */
	query: string;
}

const KEY = 'signalbox-views';
const MOST = 50;

/**
 * The views that were saved in this browser, in their order. Here and not in the home's settings: they are one reader's
 * habit, viewers may have them who may change nothing in a home, and they last as long as the home's own address.
 */
export function readViews(): readonly SavedView[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
		return Array.isArray(kept) ? kept.filter(isView).slice(0, MOST) : [];
	} catch {
		// Storage is off, or holds something else.
		return [];
	}
}

/** Keeps these views; false where the browser keeps nothing. */
export function writeViews(views: readonly SavedView[]): boolean {
	try {
		localStorage.setItem(KEY, JSON.stringify(views.slice(0, MOST)));
		return true;
	} catch {
		return false;
	}
}

const isView = (value: unknown): value is SavedView =>
	typeof value === 'object' &&
	value !== null &&
	'name' in value &&
	typeof value.name === 'string' &&
	'query' in value &&
	typeof value.query === 'string' &&
	value.query.startsWith('?') &&
	(!('path' in value) || value.path === '/decisions');
