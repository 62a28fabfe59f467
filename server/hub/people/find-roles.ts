import type { HubRole } from '#lib/hub/may.ts';
import type { Ask } from '../database/database.ts';
import { ROLES_OF_P, type RoleRow, roleOf } from './role-rows.ts';

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
