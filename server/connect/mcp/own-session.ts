import { readFileSync } from 'node:fs';
import type { ReadRoute } from './record-reader.ts';
import { RecordUnread } from './record-reader.ts';

const MOST_ANCESTORS = 8;
/** The client of a live session has said something lately; older ones are not looked at. */
const MOST_SESSIONS = 20;

/**
 * The session in which this program runs: the client that started it is one of its ancestors, and hooks told that
 * client's process. Where none fits, the last active one of the project that has not ended. Rejects with RecordUnread.
 */
export async function findOwnSession(read: ReadRoute, project: string): Promise<string> {
	const ancestors = ancestorsOf(process.ppid);
	const { sessions } = await read('GET /api/sessions', { query: { limit: MOST_SESSIONS } });
	const live = sessions.filter(({ endedAt, reviewer }) => endedAt === undefined && !reviewer);
	let ofProject: string | undefined;
	for (const { sessionId } of live) {
		const { session } = await read('GET /api/sessions/:id', { params: { id: sessionId } });
		if (session.pid !== undefined && ancestors.has(session.pid)) return sessionId;
		if (`${session.cwd ?? ''}/`.startsWith(`${project}/`)) ofProject ??= sessionId;
	}
	if (ofProject !== undefined) return ofProject;
	throw new RecordUnread(`No session of ${project} is live. list_sessions tells the ids of others.`);
}

/** Process ids, `pid` first; where the system does not tell, only that one. */
function ancestorsOf(pid: number): Set<number> {
	const found = new Set<number>();
	for (let each = pid; each > 1 && found.size < MOST_ANCESTORS; each = parentOf(each)) found.add(each);
	return found;
}

function parentOf(pid: number): number {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
	} catch {
		return 0;
	}
}
