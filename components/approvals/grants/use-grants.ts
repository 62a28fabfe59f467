import { useEffect, useState, useSyncExternalStore } from 'react';
import type { GrantBody, GrantPreview, GrantRecord, GrantSource } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { callRoute, type RouteAnswer } from '../../live/call-route.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';

/** The grants that are in `state`; asked for again when one was made, revoked or used. Null: not known yet. */
export function useGrants(state: GrantRecord['state']): GrantRecord[] | null {
	const changes = useGrantChanges();
	const overrides = useLive(({ sessions }) =>
		Object.values(sessions ?? {}).reduce((sum, { counts }) => sum + counts.overrides, 0),
	);
	const { data } = useRoute('GET /api/grants', { query: { state } }, { version: `${changes} ${overrides}` });
	return data?.grants ?? null;
}

let version = 0;
const listeners = new Set<() => void>();

export function announceGrantChange(): void {
	version += 1;
	for (const listener of listeners) listener();
}

export async function makeGrant(body: GrantBody): Promise<RouteAnswer<'POST /api/grants'>> {
	const answer = await callRoute('POST /api/grants', { body });
	announceGrantChange();
	return answer;
}

export async function revokeGrant({
	id,
	sessionId,
	machine,
}: Pick<GrantRecord, 'id' | 'sessionId' | 'machine'>): Promise<RouteAnswer<'POST /api/grants/:id/revoke'>> {
	const body = machine ? { sessionId } : {};
	const answer = await callRoute('POST /api/grants/:id/revoke', { params: { id }, body });
	announceGrantChange();
	return answer;
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export function useGrantChanges(): number {
	return useSyncExternalStore(
		subscribe,
		() => version,
		() => 0,
	);
}

/** What a grant would reach; the last answer stays while the next one is on its way. Null: not asked yet. */
export function usePreview(source: GrantSource, scope: GrantScope): { preview?: GrantPreview; error?: string } | null {
	const [reach, setReach] = useState<{ preview?: GrantPreview; error?: string } | null>(null);
	const key = JSON.stringify(source);
	useEffect(() => {
		let current = true;
		const query = { ...(JSON.parse(key) as GrantSource), scope };
		void callRoute('GET /api/grants/preview', { query }).then((answer) => {
			if (current) setReach(answer.ok ? answer.data : { error: answer.message });
		});
		return () => {
			current = false;
		};
	}, [key, scope]);
	return reach;
}
