/** How far a permission from a hub may last at a machine. */
export const grantReaches = ['never', 'session', 'project'] as const;
export type GrantReach = (typeof grantReaches)[number];

export function narrowerReach(one: GrantReach, other: GrantReach): GrantReach {
	return grantReaches.indexOf(one) < grantReaches.indexOf(other) ? one : other;
}
