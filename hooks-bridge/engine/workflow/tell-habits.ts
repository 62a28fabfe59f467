import type { Observation } from '#lib/workflow/observation.ts';
import { applicable, habitsMessage, inherited } from '#lib/workflow/told-habits.ts';
import type { FlowCall } from './flow-part.ts';

/** At the start of a session: it knows what others of its project have seen. */
export function inheritHabits({ hook, root, ports }: FlowCall): void {
	if (root === '') return;
	const others = ports.sessionFiles.othersHabits(hook.sessionId);
	if (others.length === 0) return;
	ports.sessionFiles.observe(hook.sessionId, (known) => inherited(known, others, root));
}

/**
 * The habits that the agent is to be told now, and notes that it was: each once, and all of them `anew` where its context
 * was begun or compacted. Null for none, also while another process holds the file.
 */
export function tellHabits({ hook, ports }: FlowCall, anew: boolean): string | null {
	let told: Observation[] = [];
	const toldAt = new Date(ports.now()).toISOString();
	ports.sessionFiles.observe(hook.sessionId, (known) => {
		told = applicable(known).filter((one) => anew || one.toldAt === undefined);
		return told.length === 0 ? null : known.map((one) => (told.includes(one) ? { ...one, toldAt } : one));
	});
	return habitsMessage(told);
}
