const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The session that holds what belongs to no session; lists leave it out (DESIGN 4). */
export const HOME_SESSION = '_home';

/** Whether an agent-given id may become part of a path: no dot, no slash, bounded (rule S12). */
export function isSafeId(id: unknown): id is string {
	return typeof id === 'string' && SAFE_ID.test(id);
}
