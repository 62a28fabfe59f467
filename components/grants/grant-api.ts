import type { GrantBody, GrantPreview, GrantRecord, GrantSource } from '#lib/contract/grants.ts';
import { type Answer, post, request } from '../live/api.ts';
import { grantsChanged } from './grant-changes.ts';

/** The newest first. */
export function getGrants(state: GrantRecord['state']): Promise<Answer<{ grants: GrantRecord[] }>> {
	return request(`/api/grants?${new URLSearchParams({ state })}`);
}

/** What a grant for a denied call would let run, and which recorded calls it would have let run. */
export function getPreview(
	source: GrantSource,
	scope: GrantRecord['scope'],
): Promise<Answer<{ preview: GrantPreview }>> {
	return request(`/api/grants/preview?${new URLSearchParams({ ...source, scope })}`);
}

/** Allows later calls like a denied one; only an operator may. */
export async function makeGrant(body: GrantBody): Promise<Answer<{ grant: GrantRecord }>> {
	const answer = await post<{ grant: GrantRecord }>('/api/grants', body);
	grantsChanged();
	return answer;
}

/** Ends an active grant; only an operator may. */
export async function revokeGrant(id: string): Promise<Answer<{ grant: GrantRecord }>> {
	const answer = await post<{ grant: GrantRecord }>(`/api/grants/${encodeURIComponent(id)}/revoke`, {});
	grantsChanged();
	return answer;
}
