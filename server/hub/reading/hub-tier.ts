import type { Me } from '#lib/contract/routes/me.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';

/** How well decisions from here are protected: as well as at the machine where they are protected least. */
export async function readTier(ask: Ask, { teams, projects = [] }: HubScope): Promise<Me['tier']> {
	const found = await ask<{ level: string }>(
		`SELECT DISTINCT level FROM edges WHERE status = 'joined' AND ($1::int[] IS NULL OR team = ANY ($1))`,
		[teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)]],
	);
	const levels = new Set(found.map(({ level }) => level));
	if (levels.has('hub')) return 'H1';
	return levels.has('passkey') ? 'H2' : 'H0';
}
