import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import type { Ask } from './database.ts';

/** Who wants to work on a database; without an `origin` only the key is compared. */
type Comer = Pick<RootDocument, 'key'> & Partial<Pick<RootDocument, 'origin'>>;

/** Why this is not the hub whose database it is, with what to do; undefined where it is, or where none has served from it yet. */
export async function strangerTo(ask: Ask, { key, origin }: Comer): Promise<string | undefined> {
	const [owner] = await ask<{ key: string; origin: string }>('SELECT key, origin FROM hub_owner');
	if (!owner) return;
	const whose = `This database is that of the hub at ${owner.origin}`;
	if (owner.key !== key)
		return `${whose}, which has another key than this home. Copy that hub's hub.key and name it by SIGNALBOX_HUB_KEY, or name a database of this hub's own by SIGNALBOX_DATABASE_URL.`;
	if (origin !== undefined && owner.origin !== origin)
		return `${whose}, not at ${origin}. Say --url ${owner.origin}, or, where the hub has moved for good, run DELETE FROM hub_owner in the database.`;
}

/** The first that serves from a database owns it; why another one may not is given as by `strangerTo`. */
export async function ownDatabase(ask: Ask, { key, origin }: Required<Comer>): Promise<string | undefined> {
	await ask('INSERT INTO hub_owner (key, origin) VALUES ($1, $2) ON CONFLICT DO NOTHING', [key, origin]);
	return strangerTo(ask, { key, origin });
}
