import { HOME_SESSION, isSafeId } from './safe-id.ts';

/** A session of a hub: the number of its edge, and the client's id as in the edge's own index. */
export interface HubSessionName {
	edge: number;
	sessionId: string;
}

/** The name of a hub's session on pages. */
export const hubNameOf = ({ edge, sessionId }: HubSessionName): string => `${edge}/${sessionId}`;

/** The hub session of this name; undefined for any other name. */
export function readHubName(name: string): HubSessionName | undefined {
	const [, edge, sessionId] = /^(\d{1,9})\/([\w-]+)$/.exec(name) ?? [];
	if (edge === undefined || !isSafeId(sessionId)) return;
	return { edge: Number(edge), sessionId };
}

/** Whether a session may have this name: its client's id, or on a hub with its edge before that. */
export function isSessionName(name: unknown): name is string {
	return typeof name === 'string' && (isSafeId(name) || readHubName(name) !== undefined);
}

/** Whether it is the session of events without a session: lists leave it out. */
export function isHomeSession(name: string): boolean {
	return name === HOME_SESSION || readHubName(name)?.sessionId === HOME_SESSION;
}
