import { wellFormed } from '../text/printable.ts';
import { sha256 } from './sha256.ts';

const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The session of events without a session; lists leave it out. */
export const HOME_SESSION = '_home';

/** Whether an agent-given id may become part of a path: no dot, no slash, bounded. */
export function isSafeId(id: unknown): id is string {
	return typeof id === 'string' && SAFE_ID.test(id);
}

/** Characters that no text contains literally; a database may refuse NUL. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Most characters of the ids of calls and of agents. */
export const MAX_ID = { call: 256, agent: 128 } as const;

/**
 * The id that a client gave a call or an agent, as a key: itself if it is printable and not too long, else a name derived from
 * the whole of it (`odd-` and a hash), so that lines with the same id still belong together. Undefined if there is none.
 */
export function keyIdOf(id: unknown, kind: keyof typeof MAX_ID): string | undefined {
	if (typeof id !== 'string' || id === '') return undefined;
	const text = wellFormed(id);
	return text.length > MAX_ID[kind] || UNPRINTABLE.test(text) ? `odd-${sha256(text)}` : text;
}
