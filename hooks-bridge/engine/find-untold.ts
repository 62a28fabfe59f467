import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookRun, ReadPorts, SealedEvent } from '../ports/ports.ts';
import { contentId } from './event-ids.ts';

/** What two runs of one call may tell differently: when, by whom, how long it took, and who was there first. */
const OF_THE_RUN: readonly string[] = ['id', 'ts', 'requestId', 'durationMs', 'cwd', 'project', 'make'];
/** What happened to a call and what was said of it: no line of another origin may stand in its place. */
const TESTIMONY = /^(?:tool|gate):/;

/**
 * Of the events that a run tells, those that the timeline does not hold yet. The ids of a call's events can be foreseen, so
 * a line with one of them counts only where it says the same; what it says otherwise is told under another id. The ids of
 * all other events nobody knows before their run.
 */
export function findUntold(
	events: readonly SealedEvent[],
	hook: AgentHook,
	run: HookRun,
	sight: ReadPorts,
): readonly SealedEvent[] {
	const ids = events.map(({ id }) => id);
	const found = new Map<unknown, Record<string, unknown>[]>();
	for (const line of sight.lines(hook.sessionId, ids)) found.set(line.id, [...(found.get(line.id) ?? []), line]);
	return events.flatMap((event): SealedEvent[] => {
		const there = found.get(event.id);
		if (!there) return [event];
		if (!hook.toolUseId || !TESTIMONY.test(event.type)) return [];
		const said = saying(event);
		// Readers take the first line of an id.
		if (there[0] && saying(there[0]) === said) return [];
		const id = contentId(sight, ['again', event.id, run.requestId, said]);
		return sight.lines(hook.sessionId, [id]).length > 0 ? [] : [{ ...event, id }];
	});
}

function saying(event: Readonly<Record<string, unknown>>): string {
	const told = Object.entries(event).filter(([name, value]) => !OF_THE_RUN.includes(name) && value !== undefined);
	return JSON.stringify(told.sort(([one], [other]) => (one < other ? -1 : 1)));
}
