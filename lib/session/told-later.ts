const told: ReadonlySet<string> = new Set(['model:usage', 'model:error', 'permission:decide']);

/** Whether an event is read from a transcript or an export: it comes into the timeline later than it happened. */
export function isToldLater({ type }: { type: string }): boolean {
	return told.has(type);
}
