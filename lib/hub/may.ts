import type { HubAction, HubRole, HubRoleName } from '../contract/hub/hub-roles.ts';

export type { HubRole };

export type HubTarget = 'org' | { team: number; project?: string | null | undefined };

/** An admin sets up who may decide, and does not decide. */
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

/** One role must cover the whole target. */
export function may(roles: readonly HubRole[], action: HubAction, target: HubTarget): boolean {
	return roles.some((one) => ALLOWED[action].includes(one.role) && covers(one, target));
}

function covers({ team, project }: HubRole, target: HubTarget): boolean {
	if (team === undefined) return true;
	if (target === 'org' || target.team !== team) return false;
	return project === undefined || target.project === project;
}

export interface HubReach {
	teams: readonly number[] | 'all';
	projects?: readonly { team: number; project: string }[];
}

/** Teams where the action is allowed throughout, and single projects of other teams. */
export function scopeOf(roles: readonly HubRole[], action: HubAction): HubReach {
	const allowing = roles.filter(({ role }) => ALLOWED[action].includes(role));
	if (allowing.some(({ team }) => team === undefined)) return { teams: 'all' };
	const teams = new Set<number>();
	for (const { team, project } of allowing) if (team !== undefined && project === undefined) teams.add(team);
	const projects = allowing.flatMap(({ team, project }) =>
		team === undefined || project === undefined || teams.has(team) ? [] : [{ team, project }],
	);
	return { teams: [...teams].sort((a, b) => a - b), ...(projects.length > 0 && { projects }) };
}

/** Whether a page or button is worth showing. Each target is still checked with `may`. */
export function mayAnywhere(roles: readonly HubRole[], action: HubAction): boolean {
	return roles.some(({ role }) => ALLOWED[action].includes(role));
}

/** Roles of somebody's token: it only reads. */
export function readingOnly(roles: readonly HubRole[]): HubRole[] {
	return roles.map((one) => (one.role === 'auditor' ? one : { ...one, role: 'viewer' }));
}
