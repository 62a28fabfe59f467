import type { HubPeople } from '../contract/hub/hub-people.ts';
import type { HubRole, HubRoleName } from '../contract/hub/hub-roles.ts';
import type { Plain, Say } from '../messages/say.ts';

export const roleMeanings: Record<HubRoleName, Plain> = {
	viewer: 'watches sessions and decisions',
	operator: 'watches, and decides what waits',
	admin: 'watches, and sees to machines, people and policies; does not decide',
	auditor: 'sees who decided what, without what was said, and exports it',
};

export function roleWords({ role, team, project }: HubRole, teams: HubPeople['teams'], say: Say): string {
	const name = say(role);
	if (team === undefined) return say('{role} of everything', { role: name });
	const of = teams.find(({ id }) => id === team)?.name ?? say('team {number}', { number: team });
	if (project === undefined) return say('{role} of {team}', { role: name, team: of });
	return say('{role} of {project} in {team}', { role: name, project, team: of });
}

/** `admin, operator · everywhere; viewer · team web`: the roles with one scope together. */
export function rolesByScope(roles: readonly HubRole[], teams: HubPeople['teams'], say: Say): string {
	const scopes = new Map<string, string[]>();
	for (const { role, team, project } of roles) {
		const name = teams.find(({ id }) => id === team)?.name ?? String(team);
		const inTeam = [project, say('team {name}', { name })].filter(Boolean).join(', ');
		const scope = team === undefined ? say('everywhere') : inTeam;
		scopes.set(scope, [...(scopes.get(scope) ?? []), say(role)]);
	}
	return [...scopes].map(([scope, names]) => `${names.join(', ')} · ${scope}`).join('; ');
}

/** Where a role can be given at all. */
export function reachOf(role: HubRoleName): { everywhere: boolean; teams: boolean; projects: boolean } {
	if (role === 'auditor') return { everywhere: true, teams: false, projects: false };
	return { everywhere: true, teams: true, projects: role !== 'admin' };
}
