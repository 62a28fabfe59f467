import type { SealedEvent } from './ports.ts';

/** Sealed events never change, so that the size check and the append can share one text. */
const lines = new WeakMap<SealedEvent, string>();

/** The JSON of a sealed event, as it stands in a timeline. */
export function eventLine(event: SealedEvent): string {
	const known = lines.get(event);
	if (known !== undefined) return known;
	const line = JSON.stringify(event);
	lines.set(event, line);
	return line;
}
