import type { Ask } from '../database/database.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { createFeatureFiles } from './feature-files.ts';
import type { FeatureKeeping } from './feature-intake.ts';
import { createFeatureStore } from './feature-store.ts';
import { createSlots } from './slots.ts';

/** Files on their way into the store, of all machines of a replica: each has 1 MiB at most. */
const AT_ONCE = 16;

/** Where a replica keeps archived features; without a store their documents and files stay at their machines. */
export const createFeatureKeeping = (
	ask: Ask,
	store: Pick<ObjectStore, 'put' | 'get'> | undefined,
	now: () => number,
): FeatureKeeping => ({
	featureStore: createFeatureStore(ask, now),
	files: store && createFeatureFiles(store),
	slots: createSlots(AT_ONCE),
});
