import { join } from 'node:path';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { Log } from '../../process/log.ts';
import type { HealingIndex } from '../../timeline/store/healing-index.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { createEarlierIncidents } from './earlier-incidents.ts';
import { createIncidentLog, type IncidentLog } from './incident-log.ts';
import { watchIndex } from './watch-index.ts';
import { watchSessions } from './watch-sessions.ts';

export interface IncidentsOptions {
	home: string;
	ports: Pick<Ports, 'append' | 'digest' | 'now'>;
	publishPoke: (sessionId: string) => void;
	index: HealingIndex;
	tail: Tail;
	log: Log;
}

/** The log of incidents with what the index and the sessions show; `all` has those of earlier runs, too. */
export function openIncidents({ home, index, tail, ...rest }: IncidentsOptions): {
	incidents: IncidentLog;
	all: () => Incident[];
	/** Ends the watch over the sessions. */
	close: () => void;
} {
	const incidents = createIncidentLog(rest);
	const earlier = createEarlierIncidents({ tail, index });
	watchIndex({ path: join(home, 'index.db'), index, tail, incidents });
	const close = watchSessions({ tail, incidents, now: Date.now });
	return { incidents, all: () => [...incidents.list(), ...earlier(incidents.list())], close };
}
