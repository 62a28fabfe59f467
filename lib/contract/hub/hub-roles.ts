/** What a person can be at a hub. */
export const hubRoleNames = ['viewer', 'operator', 'admin', 'auditor'] as const;
export type HubRoleName = (typeof hubRoleNames)[number];

/** A role, and where it holds: everywhere, in one team (by its number), or in one project of a team. */
export interface HubRole {
	role: HubRoleName;
	team?: number | undefined;
	project?: string | undefined;
}

/**
 * `watch`: that there are sessions, how they stand, and what was decided. `read`: with their content. `people`: give and take
 * roles, switch people off.
 */
export const hubActions = ['watch', 'read', 'decide', 'grant', 'edges', 'people', 'policies', 'audit'] as const;
export type HubAction = (typeof hubActions)[number];
