import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import { useSummary } from './use-summary.ts';

/** At a hub: the machine of a session; undefined on that machine itself. */
export function useMachine(sessionId: string): Machine | undefined {
	return useSummary(sessionId)?.machine;
}
