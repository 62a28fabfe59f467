/** What a person can be at a hub. */
export const hubRoleNames = ['viewer', 'operator', 'admin', 'auditor'] as const;
export type HubRoleName = (typeof hubRoleNames)[number];

/** A role, and where it holds: everywhere, in one team (by its number), or in one project of a team. */
export interface HubRole {
	role: HubRoleName;
	team?: number;
	project?: string;
}

/** What is acted on: everything, a team, or a project of it. */
export type HubPlace = 'org' | { team: number; project?: string | null };

/**
 * `watch`: that there are sessions, how they stand, and what was decided. `read`: with their content. `people`: give and take
 * roles, switch people off.
 */
export const hubActions = ['watch', 'read', 'decide', 'grant', 'edges', 'people', 'policies', 'audit'] as const;
export type HubAction = (typeof hubActions)[number];

/** Which role may what. An admin sets up who may decide, and does not decide. */
const ALLOWED: Record<HubAction, readonly HubRoleName[]> = {
	watch: ['viewer', 'operator', 'admin', 'auditor'],
	read: ['viewer', 'operator', 'admin'],
	decide: ['operator'],
	grant: ['operator'],
	edges: ['admin'],
	people: ['admin'],
	policies: ['admin'],
	audit: ['admin', 'auditor'],
};

/** Whether these roles allow it there: one of them must cover the whole place. */
export function may(roles: readonly HubRole[], action: HubAction, place: HubPlace): boolean {
	return roles.some((one) => ALLOWED[action].includes(one.role) && covers(one, place));
}

function covers({ team, project }: HubRole, place: HubPlace): boolean {
	if (team === undefined) return true;
	if (place === 'org' || place.team !== team) return false;
	return project === undefined || place.project === project;
}

/** Where these roles allow it: all teams or some of them, and single projects of others. */
export function scopeOf(roles: readonly HubRole[], action: HubAction) {
	const allowing = roles.filter(({ role }) => ALLOWED[action].includes(role));
	if (allowing.some(({ team }) => team === undefined)) return { teams: 'all' as const, projects: [] };
	const teams = new Set<number>();
	for (const { team, project } of allowing) if (team !== undefined && project === undefined) teams.add(team);
	const projects = allowing.flatMap(({ team, project }) =>
		team === undefined || project === undefined || teams.has(team) ? [] : [{ team, project }],
	);
	return { teams: [...teams], projects };
}
