import type { Ask } from '../../hub/database/database.ts';
import { strangerTo } from '../../hub/database/database-owner.ts';
import { heldKey } from '../../hub/database/hub-key.ts';
import { createHubJournal, type HubJournal } from '../../hub/timelines/hub-journal.ts';
import type { Terminal } from '../../process/command.ts';
import { readEnvironment } from '../../process/env.ts';
import { writableHomeOf } from '../../process/home.ts';
import { databaseOf, withDatabase } from './hub-database.ts';

/**
 * Works on a hub as whoever has its own machine, with the journal that its key signs. Rejects where this home has no key, or
 * that of another hub than the one whose database it is.
 */
export function withJournal<T>(terminal: Terminal, work: (ask: Ask, journal: HubJournal) => Promise<T>): Promise<T> {
	return withDatabase(databaseOf(terminal), async ({ ask }) => {
		const key = heldKey({ home: writableHomeOf(terminal), path: readEnvironment(terminal.env).hubKey });
		if (!key)
			throw new Error(
				'This home has no key of a hub, so that nobody would know who did it. Run it where the hub runs, with the OVERTONE_HOME or SIGNALBOX_HUB_KEY of its replicas.',
			);
		const stranger = await strangerTo(ask, { key: key.publicKey });
		if (stranger !== undefined) throw new Error(stranger);
		return work(ask, createHubJournal(ask, key.privateKey, Date.now));
	});
}
