import { HOME_SESSION, isSafeId } from './safe-id.ts';

/** A session of a hub: the number of its edge, and the client's id as in the edge's own index. */
export interface HubSessionName {
	edge: number;
	sessionId: string;
}

/** How pages call a session of a hub. */
export const hubNameOf = ({ edge, sessionId }: HubSessionName): string => `${edge}/${sessionId}`;

/** The session of a hub that is called so; undefined where it is no name of one. */
export function readHubName(name: string): HubSessionName | undefined {
	const [, edge, sessionId] = /^(\d{1,9})\/([\w-]+)$/.exec(name) ?? [];
	if (edge === undefined || !isSafeId(sessionId)) return;
	return { edge: Number(edge), sessionId };
}

/** Whether a session may be called so: by its client's id, or on a hub with its edge before that. */
export function isSessionName(name: unknown): name is string {
	return typeof name === 'string' && (isSafeId(name) || readHubName(name) !== undefined);
}

/** Whether it holds what belongs to no session: lists leave it out. */
export function isHomeSession(name: string): boolean {
	return name === HOME_SESSION || readHubName(name)?.sessionId === HOME_SESSION;
}
