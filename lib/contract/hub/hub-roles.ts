export const hubRoleNames = ['viewer', 'operator', 'admin', 'auditor'] as const;
export type HubRoleName = (typeof hubRoleNames)[number];

export interface HubRole {
	role: HubRoleName;
	team?: number | undefined;
	project?: string | undefined;
}

/** `watch`: status and decisions. `read`: with content. `people`: roles, and switching people off. */
export const hubActions = ['watch', 'read', 'decide', 'grant', 'edges', 'people', 'policies', 'audit'] as const;
export type HubAction = (typeof hubActions)[number];

/** Set by the hub's HTTP gate for its pages; removed from requests that come from outside. */
export const HUB_HEADER = 'x-signalbox-hub';
