import type { Route } from 'next';
import { addressPart } from '#lib/text/printable.ts';

/** Where two runs are shown side by side; a run is an archive, a feature, a session, or `previous`. */
export function compareAddress(a: string, b: string): Route {
	return `/compare?a=${addressPart(a)}&b=${addressPart(b)}` as Route;
}
