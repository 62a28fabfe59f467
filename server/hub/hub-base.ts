import type { HubStore } from '../store/hub-store.ts';
import type { TailBatch } from '../tail/tail-batch.ts';
import type { HubDatabase } from './database.ts';
import type { EdgeBook } from './edge-book.ts';
import type { FeatureFiles } from './features/feature-files.ts';
import type { Hints } from './hints.ts';
import type { HubApprovals } from './hub-approvals.ts';
import type { HubGrants } from './hub-grants.ts';
import type { HubIdentity } from './hub-key.ts';
import type { HubMeters } from './metrics/hub-meters.ts';

/** What pages of a hub read. */
export interface HubBase {
	database: HubDatabase;
	store: HubStore;
	identity: HubIdentity;
	edges: EdgeBook;
	/** What this replica has written. */
	onBatch(listener: (batch: TailBatch) => void): () => void;
	/** What all replicas tell each other. */
	hints: Hints;
	approvals: HubApprovals;
	grants: HubGrants;
	/** Undefined where the hub has no object store. */
	featureFiles: FeatureFiles | undefined;
	meters: HubMeters;
}
