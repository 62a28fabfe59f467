/** How far what people allow from a hub may last at a machine: for no later call, for those of its session, or of its project. */
export const grantReaches = ['never', 'session', 'project'] as const;
export type GrantReach = (typeof grantReaches)[number];

/** The narrower of the two. */
export function narrowerReach(one: GrantReach, other: GrantReach): GrantReach {
	return grantReaches.indexOf(one) < grantReaches.indexOf(other) ? one : other;
}
