import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '#lib/contract/errors.ts';
import type { Auth } from '../access/auth.ts';
import { hasBearer, isHost } from '../access/auth.ts';
import { BASE_HOST } from '../access/own-host.ts';

/** What a request says of itself before anybody asks who sent it. */
export interface RequestHead {
	method: string;
	/** The request target as it came. */
	url: string;
	headers: IncomingHttpHeaders;
	/** Node keeps the first of several Host headers; more than one is refused. */
	hostCount: number;
	/** The local port that the connection came in by. */
	port: number;
	upgrade: boolean;
}

/** What everybody can guess; a bearer token counts there too. */
const HOST_NAMES = [BASE_HOST, 'localhost', '127.0.0.1', '[::1]'];
const LONGEST_TARGET = 8 * 1024;

/** Plain printable paths only: no `//`, backslash, dot segment or encoded separator that two parsers could read differently. */
const ODD_PATH = /^\/\/|\\|[^\x21-\x7e]|#|%(?![0-9a-f]{2})|%(?:2e|2f|5c|00|0a|0d|25)|\/\.{1,2}(?:\/|$)/i;

/** Sites may link to a page; everything else must come from our own pages or from no page at all. */
function isForeignFetch({ method, headers, upgrade }: RequestHead, isRead: boolean): boolean {
	const site = headers['sec-fetch-site'];
	if (site === undefined || site === 'same-origin') return false;
	if (!isRead || upgrade) return true;
	if (site === 'none') return false;
	return method !== 'GET' || headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

/**
 * Where a request comes from and goes to: the checks before any credential (rules S2 to S4). Null lets it pass. A
 * missing Origin passes only for reads and with a bearer token, which no web page can have sent. `own` knows the name whose
 * cookie counts.
 */
export function judgeOrigin(head: RequestHead, own: Pick<Auth, 'isOwnHost' | 'originOf'>): ErrorCode | null {
	const { method, url, headers, upgrade, port } = head;
	if (head.hostCount > 1) return 'request/invalid';
	if (!own.isOwnHost(head) && !HOST_NAMES.some((name) => isHost(headers.host, name, port))) return 'auth/host';
	if (url.length > LONGEST_TARGET || !url.startsWith('/')) return 'request/invalid';
	if (ODD_PATH.test(url.split('?', 1)[0] ?? '') || /[^\x21-\x7e]/.test(url)) return 'request/invalid';
	const isRead = method === 'GET' || method === 'HEAD';
	if (!isRead && method !== 'POST') return 'request/method';
	const { origin } = headers;
	if (origin !== undefined && origin !== own.originOf(head)) return 'auth/origin';
	if (origin === undefined && (!isRead || upgrade) && !hasBearer(headers)) return 'auth/origin';
	return isForeignFetch(head, isRead) ? 'auth/origin' : null;
}
