import type { HubRoleName } from '#lib/contract/hub/hub-roles.ts';
import type { HubRole } from '#lib/hub/may.ts';
import type { Ask } from '../database/database.ts';

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

/** The roles of a person as an issuer knows them; none of somebody who is switched off, or is not there. */
export const findRoles =
	(ask: Ask) =>
	async ({ iss, sub }: { iss: string; sub: string }): Promise<HubRole[]> => {
		const [found] = await ask<{ roles: RoleRow[] }>(
			`SELECT ${ROLES_OF_P} FROM people p WHERE p.iss = $1 AND p.sub = $2 AND p.disabled_at IS NULL`,
			[iss, sub],
		);
		return found?.roles.map(roleOf) ?? [];
	};
