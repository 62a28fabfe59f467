import type { GrantReach } from '../contract/approvals/grant-reach.ts';
import type { GrantScope } from '../contract/events/catalogue/approval.ts';

const within: Record<GrantReach, readonly GrantScope[]> = {
	never: [],
	session: ['once', 'session'],
	project: ['once', 'session', 'project'],
};

/** What may be allowed from the hub at a machine whose owner lets it reach so far. */
export const scopesWithin = (reach: GrantReach): readonly GrantScope[] => within[reach];
