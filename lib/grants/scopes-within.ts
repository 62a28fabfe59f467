import type { GrantScope } from '../contract/catalogue/approval.ts';
import type { GrantReach } from '../settings/grant-reach.ts';

const within: Record<GrantReach, readonly GrantScope[]> = {
	never: [],
	session: ['once', 'session'],
	project: ['once', 'session', 'project'],
};

/** What may be allowed from the hub at a machine whose owner lets it reach so far. */
export const scopesWithin = (reach: GrantReach): readonly GrantScope[] => within[reach];
