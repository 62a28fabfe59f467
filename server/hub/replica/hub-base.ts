import type { HubStore } from '../../timeline/store/hub-store.ts';
import type { TailBatch } from '../../timeline/tail/tail-batch.ts';
import type { HubDatabase } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { HubApprovals } from '../decisions/hub-approvals.ts';
import type { HubGrants } from '../decisions/hub-grants.ts';
import type { FeatureFiles } from '../features/feature-files.ts';
import type { Hints } from '../hints/hints.ts';
import type { EdgeStore } from '../machines/edge-store.ts';
import type { HubMeters } from '../metrics/hub-meters.ts';

/** What pages of a hub read. */
export interface HubBase {
	database: HubDatabase;
	store: HubStore;
	identity: HubIdentity;
	edges: EdgeStore;
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
