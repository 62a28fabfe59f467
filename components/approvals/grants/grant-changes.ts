import { useSyncExternalStore } from 'react';
import type { GrantBody, GrantRecord } from '#lib/contract/approvals/grants.ts';
import { callRoute, type RouteAnswer } from '../../live/call-route.ts';

let version = 0;
const listeners = new Set<() => void>();

/** A grant was made or taken back here. */
export function tellGrantChange(): void {
	version += 1;
	for (const listener of listeners) listener();
}

/** Allows later calls like a denied one; only an operator may. */
export async function makeGrant(body: GrantBody): Promise<RouteAnswer<'POST /api/grants'>> {
	const answer = await callRoute('POST /api/grants', { body });
	tellGrantChange();
	return answer;
}

/** Ends an active grant; only an operator may. */
export async function revokeGrant({
	id,
	sessionId,
	machine,
}: Pick<GrantRecord, 'id' | 'sessionId' | 'machine'>): Promise<RouteAnswer<'POST /api/grants/:id/revoke'>> {
	const body = machine ? { sessionId } : {};
	const answer = await callRoute('POST /api/grants/:id/revoke', { params: { id }, body });
	tellGrantChange();
	return answer;
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** A number that rises whenever this page has made or revoked a grant. */
export function useGrantChanges(): number {
	return useSyncExternalStore(
		subscribe,
		() => version,
		() => 0,
	);
}
