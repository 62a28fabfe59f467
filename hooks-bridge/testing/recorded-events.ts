import { readFileSync } from 'node:fs';
import { timelinePath } from '../disk/overtone-home.ts';
import type { SealedEvent } from '../ports/ports.ts';

/** The events of a session's timeline by all writers, in the order of the file. */
export function recordedEvents(home: string, sessionId = 's1'): SealedEvent[] {
	return readFileSync(timelinePath(home, sessionId), 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as SealedEvent);
}
