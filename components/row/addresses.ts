import type { Route } from 'next';
import type { ComparedRun } from '#lib/contract/archives/compare.ts';
import { sessionPath } from '#lib/ids/session-path.ts';
import { addressPart } from '#lib/text/printable.ts';

/** Where a session's page shows one row of its story; without a key, the page itself. Ids are the agent's text. */
export function rowAddress(sessionId: string, rowKey?: string): Route<`/sessions/${string}`> {
	const session = sessionPath(sessionId);
	return rowKey === undefined ? `/sessions/${session}` : `/sessions/${session}?row=${addressPart(rowKey)}`;
}

/** Where two runs are shown side by side; a run is an archive, a feature, a session, or `previous`. */
export function compareAddress(a: string, b: string): Route {
	return `/compare?a=${addressPart(a)}&b=${addressPart(b)}` as Route;
}

/** Where a feature's page is; on a hub with its machine's number. */
export const featureAddress = (id: string): Route<`/features/${string}`> => `/features/${sessionPath(id)}`;

/** Where a run's recording stands at a row: of an archive at that instant, of a session in its story. */
export function runAddress(
	{ kind, id }: Pick<ComparedRun, 'kind' | 'id'>,
	target?: { sessionId: string; row: string; at: string },
): Route {
	if (kind === 'session') return rowAddress(id, target?.row) as Route;
	const feature = `/features/${encodeURIComponent(id)}`;
	if (!target) return feature as Route;
	const { sessionId, row, at } = target;
	return `${feature}?session=${addressPart(sessionId)}&at=${Date.parse(at)}&row=${addressPart(row)}` as Route;
}
