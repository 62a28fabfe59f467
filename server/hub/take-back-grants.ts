import { may } from '#lib/hub/may.ts';
import { repeat } from '../repeat.ts';
import type { Ask } from './database.ts';
import type { GrantBook } from './grant-book.ts';
import type { createGrantEnd } from './hub-grants.ts';
import { findRoles } from './people/find-roles.ts';

/** How often it is looked whether somebody may not any more, in ms. */
const LOOK_MS = 5000;
/** More grants than machines have that are used. */
const MOST = 2000;

/**
 * Has the machines that are connected here take back what somebody has allowed from the hub `origin` who has been switched off
 * since, or may not allow it any more. Machines that check passkeys see it by their roster, too. Gives what ends it.
 */
export function startGrantTakeBack(options: {
	ask: Ask;
	origin: string;
	book: Pick<GrantBook, 'activeAt'>;
	end: ReturnType<typeof createGrantEnd>;
	edges: () => readonly number[];
	failed: (error: unknown) => void;
}): () => void {
	const { ask, origin, book, end, edges, failed } = options;
	const rolesOf = findRoles(ask);
	/** A machine is told once: it has answered, or hears it with its next connection. */
	let told = new Set<string>();

	return repeat(
		LOOK_MS,
		async () => {
			const here = edges();
			const grants = here.length === 0 ? [] : await book.activeAt(here, MOST);
			const ids = new Set(grants.map(({ record }) => record.id));
			told = new Set([...told].filter((id) => ids.has(id)));
			for (const grant of grants) {
				const { id, by } = grant.record;
				if (by.hub?.origin !== origin || told.has(id)) continue;
				const { iss, sub } = by.hub;
				if (may(await rolesOf({ iss, sub }), 'grant', grant)) continue;
				told.add(id);
				await end(grant, { iss, sub, name: by.name ?? sub }, 'who allowed it may not any more');
			}
		},
		failed,
	);
}
