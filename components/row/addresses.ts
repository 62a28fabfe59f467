import type { Route } from 'next';
import type { ComparedRun } from '#lib/contract/archives/compare.ts';
import { sessionPath } from '#lib/ids/session-path.ts';
import { addressPart } from '#lib/text/printable.ts';

/** Address of a row on its session's page; without a key, of the page. Ids are agent text. */
export function rowAddress(sessionId: string, rowKey?: string): Route<`/sessions/${string}`> {
	const session = sessionPath(sessionId);
	return rowKey === undefined ? `/sessions/${session}` : `/sessions/${session}?row=${addressPart(rowKey)}`;
}

/** Address of a comparison. A run is an archive, a feature, a session, or `previous`. */
export function compareAddress(a: string, b: string): Route {
	return `/compare?a=${addressPart(a)}&b=${addressPart(b)}` as Route;
}

/** Address of a feature; on a hub the id includes the machine's number. */
export const featureAddress = (id: string): Route<`/features/${string}`> => `/features/${sessionPath(id)}`;

/** Address of a run at a row: an archive's recording at that instant, or a session's story. */
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
