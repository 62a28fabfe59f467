import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { GrantBody, GrantRecord } from '#lib/contract/approvals/grants.ts';
import { callRoute, type RouteAnswer } from '../../live/call-route.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';

/** Grants in `state`; reloaded when one is made, revoked or used. Null until loaded. */
export function useGrants(state: GrantRecord['state']): GrantRecord[] | null {
	const made = useGrantChanges();
	const overrides = useLive(({ sessions }) =>
		Object.values(sessions ?? {}).reduce((sum, { counts }) => sum + counts.overrides, 0),
	);
	const { data } = useRoute('GET /api/grants', { query: { state } }, { version: `${made} ${overrides}` });
	return data?.grants ?? null;
}

/** Counts grants made or revoked on this page. */
const changes = createStore<number>(() => 0);

export const announceGrantChange = () => changes.setState((count) => count + 1);
export const useGrantChanges = (): number => useStore(changes);

export async function makeGrant(body: GrantBody): Promise<RouteAnswer<'POST /api/grants'>> {
	const answer = await callRoute('POST /api/grants', { body });
	announceGrantChange();
	return answer;
}

export async function revokeGrant({ id, sessionId, machine }: GrantRecord) {
	const body = machine ? { sessionId } : {};
	const answer = await callRoute('POST /api/grants/:id/revoke', { params: { id }, body });
	announceGrantChange();
	return answer;
}
