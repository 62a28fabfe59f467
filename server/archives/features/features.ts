import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { Log } from '../../process/log.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { proofIn } from '../../timeline/tail/line-event.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { type ArchiveCopier, createArchiveCopier } from './archive-copier.ts';
import { createFeatureCatalog } from './feature-catalog.ts';
import { createFeatureService, type FeatureService } from './feature-service.ts';

export interface FeaturesOptions {
	/** The state root, absolute. */
	home: string;
	tail: Pick<Tail, 'views' | 'onBatch'>;
	ports: Pick<Ports, 'append' | 'projectRootOf'>;
	journal: Pick<JournalStore, 'append' | 'bySubject' | 'find'>;
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
	/** Called with each archive of which something new was kept. */
	onKept?: (id: string) => Promise<void>;
}

/** Everything that the server does about features: the service for people, the copier of archived timelines. */
export function createFeatures(options: FeaturesOptions): { service: FeatureService; copier: ArchiveCopier } {
	const { home, tail, ports, journal, now, log, onKept } = options;
	const append: Ports['append'] = (sessionId, events) => ports.append(sessionId, events);
	const world = { home, now, append, proofOf: proofIn(journal) };
	const copier = createArchiveCopier({ world, onBatch: tail.onBatch, log, ...(onKept && { onKept }) });
	const catalog = createFeatureCatalog({ home, views: tail.views, ports, now });
	return { service: createFeatureService({ world, catalog, copier, journal }), copier };
}
