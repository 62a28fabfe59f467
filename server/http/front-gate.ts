import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { Access, RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { PAGE_ACCESS, routeTable } from '#lib/contract/routes/route-table.ts';
import { type Auth, hasBearer, isHost, type RequestProof } from '../access/auth.ts';
import { BASE_HOST } from '../access/own-host.ts';
import type { AuthenticatedRequest, Principal } from '../access/principal.ts';
import type { Log } from '../process/log.ts';
import { refuse, refuseSocket, toAppError } from './refuse.ts';
import { cleanForPages, mintNonce, pagePolicy, setSecurityHeaders } from './security-headers.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface GateOptions {
	auth: Auth;
	api: RequestHandler;
	pages: RequestHandler;
	liveUpgrades: UpgradeHandler;
	devUpgrades?: UpgradeHandler;
	/** Receives telemetry of clients; checks a token of its own. */
	telemetry: { handles(path: string): boolean; receive: RequestHandler };
	/** The command line of this program, for pages of people who are not signed in. */
	program: string;
	dev: boolean;
	log: Log;
}

const MAX_BODY = 1024 * 1024;
const HMR = /^\/_next\/(?:webpack-)?hmr$/;

function readHead(request: IncomingMessage, upgrade: boolean): RequestHead {
	const { method = '', url = '', headers, rawHeaders } = request;
	const hostCount = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
	return { method, url, headers, hostCount, port: request.socket.localPort ?? 0, upgrade };
}

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?', 1)[0] ?? '';

const isNavigation = ({ method, headers }: IncomingMessage) =>
	method === 'GET' && (headers.accept ?? '').includes('text/html');

/** Checks every request: origin, then sender, then route. Without credentials only open routes of the table pass. */
export function createGate(options: GateOptions) {
	const { auth, api, pages, liveUpgrades, devUpgrades, telemetry, program, dev, log } = options;

	function judge(request: IncomingMessage, upgrade: boolean): RequestProof {
		const head = readHead(request, upgrade);
		const originError = judgeOrigin(head, auth);
		if (originError) throw new AppError(originError);
		return head;
	}

	async function servePage(request: IncomingMessage, response: ServerResponse) {
		const policy = pagePolicy(mintNonce(), dev);
		cleanForPages(request);
		// Next takes the nonce for its own scripts from the request's policy.
		request.headers['content-security-policy'] = policy;
		response.setHeader('content-security-policy', policy);
		await pages(request, response);
	}

	function sendToLogin(request: IncomingMessage, response: ServerResponse) {
		const to = request.url === '/' ? '' : `?to=${encodeURIComponent(request.url ?? '')}`;
		response.writeHead(303, { location: `/login${to}`, 'cache-control': 'no-store' }).end();
	}

	/** Null: the person is redirected to the login page. */
	async function admit(request: IncomingMessage, proof: RequestProof) {
		const { target, access } = findTarget(request.method ?? '', pathOf(request), dev);
		if (access === 'open') return { target, principal: null };
		let principal: Principal | null;
		try {
			principal = await (target === 'pages' ? auth.recognize(proof) : auth.authenticate(proof));
		} catch (error) {
			// An old cookie is no guess, so it does not count towards the limit.
			if (target === 'pages' && isNavigation(request)) return null;
			throw error;
		}
		if (!principal && target === 'pages' && isNavigation(request)) return null;
		const wrong = judgeAccess(access, principal, pathOf(request));
		if (wrong) throw new AppError(wrong);
		return { target, principal };
	}

	async function serve(request: AuthenticatedRequest, response: ServerResponse) {
		const proof = judge(request, false);
		const admitted = await admit(request, proof);
		if (!admitted) return sendToLogin(request, response);
		if (admitted.principal) request.principal = admitted.principal;
		// Our pages never send chunked bodies, and the API's reader cannot bound them.
		if (request.headers['transfer-encoding'] !== undefined) throw new AppError('request/length');
		if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw new AppError('request/too-large');
		if (admitted.target === 'api') return await api(request, response);
		if (admitted.target === 'pages') return await servePage(request, response);
		throw new AppError(admitted.target === 'wrong-method' ? 'request/method' : 'route/not-found');
	}

	async function upgrade(request: AuthenticatedRequest): Promise<UpgradeHandler> {
		const proof = judge(request, true);
		const isReload = devUpgrades !== undefined && HMR.test(pathOf(request));
		const principal = await (isReload ? auth.recognize(proof) : auth.authenticate(proof));
		const wrong = judgeAccess(PAGE_ACCESS, principal, pathOf(request));
		if (wrong || !principal) throw new AppError(wrong ?? 'auth/missing');
		request.principal = principal;
		if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
			throw new AppError('request/invalid');
		}
		if (pathOf(request) === '/socket.io/') return liveUpgrades;
		if (isReload) return devUpgrades;
		throw new AppError('route/not-found');
	}

	const logFailureOf = (request: IncomingMessage) => (thrown: unknown) =>
		log.error('A request failed', thrown, { method: request.method, path: pathOf(request) });

	return {
		async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
			try {
				setSecurityHeaders(response);
				if (telemetry.handles(pathOf(request))) return await telemetry.receive(request, response);
				await serve(request, response);
			} catch (thrown) {
				refuse(response, toAppError(thrown, logFailureOf(request)), program);
			}
		},
		async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
			// A peer that disconnects before the hand-over must not end the process.
			const leave = () => socket.destroy();
			socket.on('error', leave);
			try {
				const handOver = await upgrade(request);
				socket.off('error', leave);
				handOver(request, socket, head);
			} catch (thrown) {
				refuseSocket(socket, toAppError(thrown, logFailureOf(request)).status);
			}
		},
	};
}

export interface RequestHead {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	/** Node keeps the first of several Host headers; more than one is refused. */
	hostCount: number;
	port: number;
	upgrade: boolean;
}

/** Guessable names, at which only bearer tokens count. */
const HOST_NAMES = [BASE_HOST, 'localhost', '127.0.0.1', '[::1]'];
const MAX_TARGET = 8 * 1024;

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

/** Checks before any credential. Without an Origin only reads and bearer tokens pass, which no web page can send. */
export function judgeOrigin(head: RequestHead, own: Pick<Auth, 'isOwnHost' | 'originOf'>): ErrorCode | null {
	const { method, url, headers, upgrade, port } = head;
	if (head.hostCount > 1) return 'request/invalid';
	if (!own.isOwnHost(head) && !HOST_NAMES.some((name) => isHost(headers.host, name, port))) return 'auth/host';
	if (url.length > MAX_TARGET || !url.startsWith('/')) return 'request/invalid';
	if (ODD_PATH.test(url.split('?', 1)[0] ?? '') || /[^\x21-\x7e]/.test(url)) return 'request/invalid';
	const isRead = method === 'GET' || method === 'HEAD';
	if (!isRead && method !== 'POST') return 'request/method';
	const { origin } = headers;
	if (origin !== undefined && origin !== own.originOf(head)) return 'auth/origin';
	if (origin === undefined && (!isRead || upgrade) && !hasBearer(headers)) return 'auth/origin';
	return isForeignFetch(head, isRead) ? 'auth/origin' : null;
}

export type Target = 'api' | 'pages' | 'nowhere' | 'wrong-method';

/** On a hub a session or feature has its machine's number before it. */
const OF_HUB = /(?<=^\^\/api\/features\/|\/sessions\/)(?=\[)/g;

const matchers = routeTable.map((route) => ({
	...route,
	// No escapes in a part: the gate and the router could decode them differently.
	pattern: new RegExp(
		`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[\\w.:~-]+')}$`.replaceAll(OF_HUB, '(?:\\d+/)?'),
	),
}));

/** Paths that never become a page; the last two are routes of Next that stay closed. */
const NEVER_PAGES = /^\/(?:login|logout|link|health|metrics|api|socket\.io|_next\/image|_next\/mcp)(?:\/|$)/;

/** Undefined for a request that no route of the table allows. */
export function findRoute(method: string, path: string): RouteSpec | undefined {
	return matchers.find((route) => route.method === method && route.pattern.test(path));
}

export function findTarget(method: string, path: string, dev: boolean): { target: Target; access: Access } {
	const routeMethod = method === 'HEAD' ? 'GET' : method;
	const route = findRoute(routeMethod, path);
	if (route) return { target: 'api', access: route.access };
	if (matchers.some(({ pattern }) => pattern.test(path))) return { target: 'wrong-method', access: PAGE_ACCESS };
	if (NEVER_PAGES.test(path)) return { target: 'nowhere', access: PAGE_ACCESS };
	// The error overlay of `next dev` posts to these to show source lines.
	const isPage = routeMethod === 'GET' || (dev && path.startsWith('/__nextjs_'));
	return { target: isPage ? 'pages' : 'wrong-method', access: PAGE_ACCESS };
}

/** A sign-in by a link may decide only its own call, and use its passkey for that. */
function isOwnApproval(path: string, { approval }: Principal): boolean {
	return approval !== undefined && (path === `/api/approvals/${approval}` || path === '/api/passkeys/challenge');
}

/** Null lets a sender pass. */
export function judgeAccess(access: Access, principal: Principal | null, path: string): ErrorCode | null {
	if (access === 'open') return null;
	if (!principal) return 'auth/missing';
	if (isOwnApproval(path, principal)) return null;
	return access.includes(principal.role) ? null : 'auth/forbidden';
}
