import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { readObservation } from '#lib/workflow/observation.ts';

/** The observations of a session, the surest first; of one id the last line counts. The id must have passed `isSafeId`. */
export function readObservations(home: string, sessionId: string): Observation[] {
	const folder = sessionFolder(home, sessionId);
	const read = readBounded(join(folder, 'observations.jsonl'), folder);
	const byId = new Map<string, Observation>();
	for (const line of read.ok ? read.text.split('\n') : []) {
		const one = parse(line);
		if (one) byId.set(one.id, one);
	}
	return [...byId.values()].sort((a, b) => b.confidence - a.confidence);
}

function parse(line: string): Observation | null {
	try {
		return readObservation(JSON.parse(line));
	} catch {
		return null;
	}
}
