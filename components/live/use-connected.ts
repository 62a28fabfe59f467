'use client';
import type { Plain } from '#lib/messages/say.ts';
import { useLive } from './store.ts';

/** What a page says of a thing that only a connected server can know. */
export const NOT_CONNECTED: Plain = 'Not connected: nothing can be decided until the server is back.';

/** Whether the server is heard; without it nobody knows what still waits. */
export function useConnected(): boolean {
	return useLive(({ connection }) => connection.state === 'live');
}
