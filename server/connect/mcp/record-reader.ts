import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { createDurably } from '#hooks-bridge/disk/write-durably.ts';
import { routeUrl } from '#lib/contract/routes/route-spec.ts';
import type { AnswerOf, RequestOf, RouteKey } from '#lib/contract/routes/route-table.ts';
import { withCredentials } from '../../access/credentials.ts';
import { findServer } from '../../process/home.ts';

const LIMIT_MS = 20_000;

export class RecordUnread extends Error {}

export type ReadRoute = <Key extends RouteKey & `GET ${string}`>(
	key: Key,
	...[request]: object extends RequestOf<Key> ? [request?: RequestOf<Key>] : [request: RequestOf<Key>]
) => Promise<AnswerOf<Key>>;

/**
 * Reads a home's record from its server with a read-only token. The server is looked up at each read, since it may start later.
 * Rejects with RecordUnread.
 */
export function createRecordReader(home: string, env: Readonly<Record<string, string | undefined>>): ReadRoute {
	return async (key, ...[request]) => {
		const url = await findServer(home);
		if (url === undefined) throw new RecordUnread(`No server answers for ${home}. \`signalbox start\` runs it.`);
		const { params, query }: { params?: Record<string, string>; query?: object } = request ?? {};
		const token = await openViewerToken(home, env);
		// By number: the server's own host name is one below localhost, which only browsers resolve.
		const response = await fetch(`http://127.0.0.1:${new URL(url).port}${routeUrl(key, params, query)}`, {
			headers: { authorization: `Bearer ${token}` },
			signal: AbortSignal.timeout(LIMIT_MS),
		}).catch((error: unknown) => {
			throw new RecordUnread(`The server at ${url} did not answer: ${String(error)}. Ask again.`);
		});
		if (response.status === 401) {
			throw new RecordUnread(
				`The token of this program was revoked. Set SIGNALBOX_TOKEN (\`signalbox token create --role viewer\`), or remove ${home}/mcp-token for a new one.`,
			);
		}
		const body: unknown = await response.json();
		if (response.ok) return body as AnswerOf<typeof key>;
		throw new RecordUnread(messageOf(body) ?? `The server refused that (${response.status}).`);
	};
}

function messageOf(body: unknown): string | undefined {
	const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
	return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined;
}

const FILE = 'mcp-token';

/** SIGNALBOX_TOKEN, or a token minted once and stored in the home (0600). A revoked one is not replaced. */
async function openViewerToken(home: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
	const given = env.SIGNALBOX_TOKEN || readToken(home);
	if (given) return given;
	const minted = await withCredentials(home, (credentials) => credentials.mintToken('viewer'));
	const path = join(home, FILE);
	createDurably(path, `${minted}\n`);
	chmodSync(path, 0o600);
	return readToken(home) ?? minted;
}

function readToken(home: string): string | undefined {
	return tryTo(() => readFileSync(join(home, FILE), 'utf8').trim() || undefined);
}

const MAX_ANCESTORS = 8;
const MAX_SESSIONS = 20;

/** The session whose client is an ancestor of this process, else the last active one of the project. */
export async function findOwnSession(read: ReadRoute, project: string): Promise<string> {
	const ancestors = ancestorsOf(process.ppid);
	const { sessions } = await read('GET /api/sessions', { query: { limit: MAX_SESSIONS } });
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

function ancestorsOf(pid: number): Set<number> {
	const found = new Set<number>();
	for (let each = pid; each > 1 && found.size < MAX_ANCESTORS; each = parentOf(each)) found.add(each);
	return found;
}

function parentOf(pid: number): number {
	const stat = tryTo(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
	return stat === undefined ? 0 : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
