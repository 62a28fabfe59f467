import type { Route } from 'next';
import type { ComparedRun } from '#lib/contract/archives/compare.ts';
import { rowAddress } from './row-address.ts';
import { addressPart } from '#lib/text/printable.ts';

/** Where a run's recording stands at a row: of an archive at that instant, of a session in its story. */
export function runAddress(
	{ kind, id }: Pick<ComparedRun, 'kind' | 'id'>,
	place?: { sessionId: string; row: string; at: string },
): Route {
	if (kind === 'session') return rowAddress(id, place?.row) as Route;
	const feature = `/features/${encodeURIComponent(id)}`;
	if (!place) return feature as Route;
	const { sessionId, row, at } = place;
	return `${feature}?session=${addressPart(sessionId)}&at=${Date.parse(at)}&row=${addressPart(row)}` as Route;
}
