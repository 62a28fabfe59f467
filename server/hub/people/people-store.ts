import type { HubRole } from '#lib/hub/may.ts';
import type { Ask } from '../database/database.ts';
import { placeOf, ROLES_OF_P, type RoleRow, roleOf } from './role-rows.ts';

/** Who has the hub's own machine: the one person that no provider names. */
const OWNER = { iss: 'hub', sub: 'owner' };
const MOST = 2000;

/** Who somebody is, as an issuer says: only `iss` and `sub` together are a person. */
export interface Identity {
	iss: string;
	sub: string;
	name: string;
	email: string | null;
}

/** A line of the list of people. */
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

/** The people of a hub and their roles. */
export function createPeopleStore(ask: Ask) {
	/** The person of this identity, made where it is new; name and address are those of the newest sign-in. */
	async function know({ iss, sub, name, email }: Identity): Promise<{ id: number; disabled: boolean }> {
		const [known] = await ask<{ id: number; disabled: boolean }>(
			`INSERT INTO people (iss, sub, name, email) VALUES ($1, $2, $3, $4)
			ON CONFLICT (iss, sub) DO UPDATE SET name = excluded.name, email = excluded.email
			RETURNING id, disabled_at IS NOT NULL AS disabled`,
			[iss, sub, name, email],
		);
		if (!known) throw new Error('A person was neither made nor found.');
		return known;
	}

	async function give(person: number, role: HubRole): Promise<void> {
		await ask(
			`INSERT INTO roles (person, scope_kind, scope_id, role, source) VALUES ($1, $2, $3, $4, 'admin')
			ON CONFLICT (person, scope_kind, scope_id, role) DO UPDATE SET source = 'admin'`,
			[person, ...placeOf(role), role.role],
		);
	}

	return {
		know,
		give,
		/** Whoever has the hub's machine: may everything, and nobody can take that away. */
		async owner(): Promise<number> {
			const { id } = await know({ ...OWNER, name: 'Owner', email: null });
			for (const role of ['admin', 'operator'] as const) await give(id, { role });
			return id;
		},
		/** What somebody is, and where. */
		async rolesOf(person: number): Promise<HubRole[]> {
			const [found] = await ask<{ roles: RoleRow[] }>(`SELECT ${ROLES_OF_P} FROM people p WHERE p.id = $1`, [person]);
			return found?.roles.map(roleOf) ?? [];
		},
		/** Whether somebody is anything at all. */
		async hasRole(person: number): Promise<boolean> {
			return (await ask('SELECT 1 FROM roles WHERE person = $1 LIMIT 1', [person])).length > 0;
		},
		/** The number of a team, made where nobody has named it yet. */
		async teamOf(name: string): Promise<number> {
			const [made] = await ask<{ id: number }>(
				'INSERT INTO teams (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id',
				[name],
			);
			if (!made) throw new Error('A team was neither made nor found.');
			return made.id;
		},
		/** Takes a role; false where the person has none of that kind there. */
		async take(person: number, role: HubRole): Promise<boolean> {
			const taken = await ask(
				`DELETE FROM roles WHERE person = $1 AND scope_kind = $2 AND scope_id = $3 AND role = $4 RETURNING role`,
				[person, ...placeOf(role), role.role],
			);
			return taken.length > 0;
		},
		/** Puts what the groups of a sign-in give in the place of what those of the one before gave; false: nothing changed. */
		async setFromGroups(person: number, roles: readonly HubRole[]): Promise<boolean> {
			const places = roles.map(placeOf);
			const values = [person, places.map(([kind]) => kind), places.map(([, id]) => id), roles.map(({ role }) => role)];
			const [changed] = await ask<{ count: number }>(
				`WITH wanted AS (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[]) AS w(kind, id, role)),
				gone AS (
					DELETE FROM roles r WHERE r.person = $1 AND r.source = 'oidc'
					AND (r.scope_kind, r.scope_id, r.role) NOT IN (SELECT kind, id, role FROM wanted) RETURNING 1
				), made AS (
					INSERT INTO roles (person, scope_kind, scope_id, role, source) SELECT $1, kind, id, role, 'oidc' FROM wanted
					ON CONFLICT DO NOTHING RETURNING 1
				) SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM made) AS count`,
				values,
			);
			return (changed?.count ?? 0) > 0;
		},
		/** Switches somebody off or on; false where there is no such person, or it is the owner. */
		async setDisabled(person: number, disabled: boolean): Promise<boolean> {
			const changed = await ask(
				`UPDATE people SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END
				WHERE id = $1 AND iss <> '${OWNER.iss}' RETURNING id`,
				[person, disabled],
			);
			return changed.length > 0;
		},
		list: () =>
			ask<KnownPerson>(
				`SELECT p.id, p.iss, p.name, p.email, p.disabled_at IS NOT NULL AS disabled, ${ROLES_OF_P},
				(SELECT count(*)::int FROM passkeys k WHERE k.person = p.id AND k.revoked_at IS NULL) AS passkeys,
				(SELECT max(l.last_seen) FROM logins l WHERE l.person = p.id) AS seen
				FROM people p ORDER BY lower(p.name), p.id LIMIT ${MOST}`,
			),
		teams: () => ask<{ id: number; name: string }>('SELECT id, name FROM teams ORDER BY name'),
	};
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;
