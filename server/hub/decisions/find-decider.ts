import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import type { Ask } from '../database/database.ts';

/** Finds who a person is who decides; undefined where there is nobody of that number, or not any more. */
export const findDecider =
	(ask: Ask) =>
	async (person: number): Promise<(HubDecider & { id: number }) | undefined> => {
		const [found] = await ask<HubDecider & { id: number }>(
			'SELECT id, iss, sub, name FROM people WHERE id = $1 AND disabled_at IS NULL',
			[person],
		);
		return found;
	};
