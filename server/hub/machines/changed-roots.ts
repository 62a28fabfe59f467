import type { Ask } from '../database/database.ts';
import type { RootSet } from '../database/root-set.ts';

/**
 * The root passkeys that have another key in the database than the one that was made root. That one alone counts; but
 * somebody has changed the database, and would have the other one taken for it.
 */
export async function changedRoots(ask: Ask, set: RootSet | undefined): Promise<string[]> {
	const roots = new Map(set?.rootPasskeys.map(({ id, cose }) => [id, cose]));
	const found = await ask<{ id: string; cose: string }>(
		'SELECT cred_id AS id, cose FROM passkeys WHERE cred_id = ANY ($1)',
		[[...roots.keys()]],
	);
	return found.filter(({ id, cose }) => roots.get(id) !== cose).map(({ id }) => id);
}

/** What to do about one, for a terminal. */
export const changedRootWords = (id: string): string =>
	`The database has another key for the root passkey ${id} than hub-root.json: somebody has changed it there. Nothing that the other key signs counts. Have its owner take it away on the page People and enrol it anew, and \`signalbox hub root remove\` it here.`;
