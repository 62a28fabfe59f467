import type { Route } from 'next';
import { sessionPath } from '#lib/ids/session-path.ts';
import { addressPart } from '#lib/text/printable.ts';

/** Where a session's page shows one row of its story; without a key, the page itself. Ids are the agent's text. */
export function rowAddress(sessionId: string, rowKey?: string): Route<`/sessions/${string}`> {
	const session = sessionPath(sessionId);
	return rowKey === undefined ? `/sessions/${session}` : `/sessions/${session}?row=${addressPart(rowKey)}`;
}
