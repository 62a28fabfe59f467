import { join } from 'node:path';
import { createTimelinePort } from '#hooks-bridge/disk/timeline-port.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { SealedEvent, WantedAssessment } from '#hooks-bridge/ports/ports.ts';
import type { DoorThread } from '../door/start-door-thread.ts';
import { LOCK_WAIT_MS } from '../door/turn-timelines.ts';
import { createTailFeed } from '../pages/realtime/tail-feed.ts';
import type { Log } from '../process/log.ts';
import { createConfiguredClient } from '../reviewers/llm/llm-client.ts';
import { openHealingIndex } from '../timeline/store/healing-index.ts';
import { sessionReadsOf } from '../timeline/store/index-store.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createTail } from '../timeline/tail/tail.ts';
import type { Closers } from './claim-home.ts';

/**
 * Opens what every part of the server stands on beside the journal: the index, the tail that fills it, the configured
 * model, and the effects of hooks. Throws when a file cannot be opened.
 */
export function openBase(
	home: string,
	{ door, journal }: { door: DoorThread; journal: JournalStore },
	log: Log,
	closers: Closers,
) {
	const index = openHealingIndex(join(home, 'index.db'), { warn: (message) => log.warn(message) });
	closers.push(() => index.close());
	const tail = createTail({ home, index, journal, log });
	closers.push(() => tail.stop());
	const llm = createConfiguredClient(home, process.env, log);
	// Looks are taken here; whatever is appended goes through the door's thread, which knows it for our own.
	const append = (sessionId: string, events: readonly SealedEvent[]) => {
		door.append(sessionId, events);
		tail.poke(sessionId, events.length);
	};
	const timelines = { ...createTimelinePort(home), append };
	const ports = {
		...createNodePorts({ home, lockWaitMs: LOCK_WAIT_MS, timelines }),
		// What comes next by priority needs no model.
		mayAssess: (validator: WantedAssessment['validator']) => validator === 'completion' || llm.model() !== undefined,
	};
	closers.push(() => ports.close());
	const reads = sessionReadsOf(index);
	const feed = createTailFeed({ tail, index, now: Date.now });
	return {
		home,
		journal,
		index,
		reads,
		feed,
		tail,
		llm,
		ports,
		door,
		publishPoke: (sessionId: string) => tail.poke(sessionId),
	};
}

export type ServerBase = ReturnType<typeof openBase>;
