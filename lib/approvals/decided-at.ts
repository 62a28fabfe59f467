import type { Machine } from '../contract/sessions/read-model/session-view.ts';

/** At a hub: the machine at which alone a call is decided, since its owner lets nobody do so from here. */
export function decidedAt(machine: Machine | undefined): string | undefined {
	return machine?.level === 'watch' ? machine.name : undefined;
}
