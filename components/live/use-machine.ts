import { useSession } from './session-source.ts';

/** At a hub: the machine of the session on screen, where it is decided; undefined on that machine itself. */
export function useMachine(sessionId: string): string | undefined {
	return useSession(sessionId, ({ view }) => view?.machine?.name) ?? undefined;
}
