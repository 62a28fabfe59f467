import type { HubRoleName } from '#lib/contract/hub/hub-roles.ts';
import type { HubRole } from '#lib/hub/may.ts';
import type { Principal } from '../../access/principal.ts';
import { isAny, literal, type Query, sql } from '../database/database.ts';

/** A person who is signed in at a hub. */
export type HubUser = NonNullable<Principal['hub']>;

const OWNER = { iss: 'hub', sub: 'owner' };
const MAX_PEOPLE = 2000;

interface Identity {
	iss: string;
	sub: string;
	name: string;
	email: string | null;
}

export interface KnownPerson {
	id: number;
	iss: string;
	name: string;
	email: string | null;
	disabled: boolean;
	passkeys: number;
	seen: Date | null;
	roles: RoleRow[];
}

/** People in the database, with roles given by admins and by the provider's groups. */
export function createPeopleStore(query: Query) {
	async function findOrAdd({ iss, sub, name, email }: Identity): Promise<{ id: number; disabled: boolean }> {
		const [known] = await query<{ id: number; disabled: boolean }>`INSERT INTO people (iss, sub, name, email)
			VALUES (${iss}, ${sub}, ${name}, ${email}) ON CONFLICT (iss, sub) DO UPDATE
			SET name = excluded.name, email = excluded.email RETURNING id, disabled_at IS NOT NULL AS disabled`;
		if (!known) throw new Error('A person was neither made nor found.');
		return known;
	}

	async function giveRole(person: number, role: HubRole): Promise<void> {
		const [kind, id] = roleKey(role);
		await query`INSERT INTO roles (person, scope_kind, scope_id, role, source)
			VALUES (${person}, ${kind}, ${id}, ${role.role}, 'admin')
			ON CONFLICT (person, scope_kind, scope_id, role) DO UPDATE SET source = 'admin'`;
	}

	return {
		know: findOrAdd,
		give: giveRole,
		/** May do everything; nobody can remove that role. */
		async owner(): Promise<number> {
			const { id } = await findOrAdd({ ...OWNER, name: 'Owner', email: null });
			for (const role of ['admin', 'operator'] as const) await giveRole(id, { role });
			return id;
		},
		async rolesOf(person: number): Promise<HubRole[]> {
			const [found] = await query<{ roles: RoleRow[] }>`SELECT ${ROLES_OF_P} FROM people p WHERE p.id = ${person}`;
			return found?.roles.map(roleOf) ?? [];
		},
		hasRole: (person: number): Promise<boolean> => isAny(query`SELECT 1 FROM roles WHERE person = ${person} LIMIT 1`),
		async teamOf(name: string): Promise<number> {
			const [made] = await query<{ id: number }>`INSERT INTO teams (name) VALUES (${name}) ON CONFLICT (name) DO UPDATE
				SET name = excluded.name RETURNING id`;
			if (!made) throw new Error('A team was neither made nor found.');
			return made.id;
		},
		async removeRole(person: number, role: HubRole): Promise<boolean> {
			const [kind, id] = roleKey(role);
			return isAny(query`DELETE FROM roles WHERE person = ${person} AND scope_kind = ${kind} AND scope_id = ${id}
				AND role = ${role.role} RETURNING role`);
		},
		/** Replaces the roles that groups gave at the last sign-in; false: nothing changed. */
		async setFromGroups(person: number, roles: readonly HubRole[]): Promise<boolean> {
			const places = roles.map(roleKey);
			const [kinds, ids] = [places.map(([kind]) => kind), places.map(([, id]) => id)];
			const [changed] = await query<{ count: number }>`WITH wanted AS (SELECT DISTINCT *
					FROM unnest(${kinds}::text[], ${ids}::text[], ${roles.map(({ role }) => role)}::text[]) AS w(kind, id, role)
				), gone AS (
					DELETE FROM roles r WHERE r.person = ${person} AND r.source = 'oidc'
					AND (r.scope_kind, r.scope_id, r.role) NOT IN (SELECT kind, id, role FROM wanted) RETURNING 1
				), made AS (
					INSERT INTO roles (person, scope_kind, scope_id, role, source)
					SELECT ${person}, kind, id, role, 'oidc' FROM wanted ON CONFLICT DO NOTHING RETURNING 1
				) SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM made) AS count`;
			return (changed?.count ?? 0) > 0;
		},
		setDisabled: (person: number, disabled: boolean): Promise<boolean> =>
			isAny(query`UPDATE people SET disabled_at = CASE WHEN ${disabled} THEN coalesce(disabled_at, now())
				END WHERE id = ${person} AND iss <> ${OWNER.iss} RETURNING id`),
		list: () =>
			query<KnownPerson>`SELECT p.id, p.iss, p.name, p.email, p.disabled_at IS NOT NULL AS disabled, ${ROLES_OF_P},
				(SELECT count(*)::int FROM passkeys k WHERE k.person = p.id AND k.revoked_at IS NULL) AS passkeys,
				(SELECT max(l.last_seen) FROM logins l WHERE l.person = p.id) AS seen
				FROM people p ORDER BY lower(p.name), p.id LIMIT ${literal(MAX_PEOPLE)}`,
		teams: () => readTeams(query),
	};
}

export interface Team {
	id: number;
	name: string;
}

/** Teams in order of name; `ids` is null for all. */
export const readTeams = (query: Query, ids: readonly number[] | null = null): Promise<Team[]> =>
	query<Team>`SELECT id, name FROM teams WHERE ${ids}::int[] IS NULL OR id = ANY (${ids}) ORDER BY name`;

export const findTeam = async (query: Query, name: string): Promise<number | undefined> =>
	(await query<Team>`SELECT id, name FROM teams WHERE name = ${name}`)[0]?.id;

export type PeopleStore = ReturnType<typeof createPeopleStore>;

export interface RoleRow {
	kind: 'org' | 'team' | 'project';
	id: string;
	role: HubRoleName;
	source: 'oidc' | 'admin';
}

export const ROLES_OF_P = sql`coalesce((SELECT json_agg(json_build_object('kind', r.scope_kind, 'id', r.scope_id, 'role', r.role, 'source', r.source)
	ORDER BY r.scope_kind, r.scope_id, r.role) FROM roles r WHERE r.person = p.id), '[]') AS roles`;

export function roleOf({ kind, id, role }: RoleRow): HubRole {
	if (kind === 'org') return { role };
	const [team = '', project] = kind === 'team' ? [id] : splitAt(id, id.indexOf('/'));
	return { role, team: Number(team), ...(project !== undefined && { project }) };
}

const splitAt = (text: string, at: number) => [text.slice(0, at), text.slice(at + 1)];

export function roleKey({ team, project }: HubRole): [kind: RoleRow['kind'], id: string] {
	if (team === undefined) return ['org', ''];
	return project === undefined ? ['team', String(team)] : ['project', `${team}/${project}`];
}

/** A disabled person has none. */
export const findRoles =
	(query: Query) =>
	async ({ iss, sub }: { iss: string; sub: string }): Promise<HubRole[]> => {
		const [found] = await query<{ roles: RoleRow[] }>`SELECT ${ROLES_OF_P} FROM people p WHERE p.iss = ${iss}
			AND p.sub = ${sub} AND p.disabled_at IS NULL`;
		return found?.roles.map(roleOf) ?? [];
	};
