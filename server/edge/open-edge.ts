import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../process/log.ts';
import type { Tail } from '../timeline/tail/tail.ts';
import type { DecisionServices } from './hub-decisions.ts';
import type { PolicyPorts } from './policy-cache.ts';

/** Connects a home that has joined a hub; loads nothing for any other. Returns the function that ends it. */
export async function openEdge(
	home: string,
	tail: Pick<Tail, 'onBatch'>,
	log: Log,
	ports: PolicyPorts,
	people: DecisionServices,
): Promise<() => void> {
	// Until the edge says otherwise, grants of a hub let nothing run.
	if (!existsSync(join(home, 'hub.json'))) {
		people.grants.guardHubGrants(() => () => 'this machine has left the hub that it came from');
		return () => undefined;
	}
	const { startEdge } = await import('./start-edge.ts');
	return startEdge(home, tail, log, ports, people) ?? (() => undefined);
}
