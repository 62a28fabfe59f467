import type { Query } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { Hints } from '../hints/hints.ts';
import type { HubJournal } from './hub-journal.ts';

/** What every part of a replica works with. */
export interface HubCore {
	query: Query;
	identity: HubIdentity;
	hints: Hints;
	journal: HubJournal;
	now: () => number;
}
