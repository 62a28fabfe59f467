import type { HubRole, HubRoleName } from '#lib/contract/hub/hub-roles.ts';

/** A role as Postgres has it. */
export interface RoleRow {
	kind: 'org' | 'team' | 'project';
	id: string;
	role: HubRoleName;
	source: 'oidc' | 'admin';
}

/** The roles of the person `p.id`, as a JSON list of `RoleRow`. */
export const ROLES_OF_P = `coalesce((SELECT json_agg(json_build_object('kind', r.scope_kind, 'id', r.scope_id, 'role', r.role, 'source', r.source)
	ORDER BY r.scope_kind, r.scope_id, r.role) FROM roles r WHERE r.person = p.id), '[]') AS roles`;

/** What the row gives, and where. */
export function roleOf({ kind, id, role }: RoleRow): HubRole {
	if (kind === 'org') return { role };
	const [team = '', project] = kind === 'team' ? [id] : splitAt(id, id.indexOf('/'));
	return { role, team: Number(team), ...(project !== undefined && { project }) };
}

const splitAt = (text: string, at: number) => [text.slice(0, at), text.slice(at + 1)];

/** Where a role holds, as Postgres has it: its kind and its id. */
export function placeOf({ team, project }: HubRole): [kind: RoleRow['kind'], id: string] {
	if (team === undefined) return ['org', ''];
	return project === undefined ? ['team', String(team)] : ['project', `${team}/${project}`];
}
