import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#lib/contract/errors.ts';
import { PAGE_ACCESS } from '#lib/contract/routes/route-table.ts';
import type { Auth, RequestProof } from '../access/auth.ts';
import type { AuthenticatedRequest, Principal } from '../access/principal.ts';
import type { Log } from '../process/log.ts';
import { findTarget, judgeAccess } from './admit.ts';
import { judgeOrigin, type RequestHead } from './judge-origin.ts';
import { refuse, refuseSocket, toAppError } from './refuse.ts';
import { cleanForPages, mintNonce, pagePolicy, setSecurityHeaders } from './security-headers.ts';

/** Serves one request that has passed the gate. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Takes over the connection of an upgrade that has passed the gate. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface GateOptions {
	auth: Auth;
	/** The Hono app: everything in the route table. */
	api: RequestHandler;
	/** Next: everything else, for those who may read. */
	pages: RequestHandler;
	/** socket.io's upgrades. */
	liveUpgrades: UpgradeHandler;
	/** Next's hot reload; absent in production. */
	devUpgrades?: UpgradeHandler;
	/** Takes what clients export; it has a token of its own, and asks for it itself. */
	telemetry: { handles(path: string): boolean; receive: RequestHandler };
	/** What somebody who is not signed in types to run our command. */
	program: string;
	dev: boolean;
	log: Log;
}

const LARGEST_BODY = 1024 * 1024;
const HMR = /^\/_next\/(?:webpack-)?hmr$/;

function readHead(request: IncomingMessage, upgrade: boolean): RequestHead {
	let hostCount = 0;
	for (let at = 0; at < request.rawHeaders.length; at += 2) {
		if (request.rawHeaders[at]?.toLowerCase() === 'host') hostCount++;
	}
	const { method = '', url = '', headers } = request;
	return { method, url, headers, hostCount, port: request.socket.localPort ?? 0, upgrade };
}

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?', 1)[0] ?? '';

/** A person's browser asking for a page, which is better served by a login page than by an error. */
const isNavigation = ({ method, headers }: IncomingMessage) =>
	method === 'GET' && (headers.accept ?? '').includes('text/html');

/**
 * The one gate in front of everything: place, then sender, then route (DESIGN 2). Nothing behind it is ever reached by
 * a request without credentials, save the open routes of the table.
 */
export function createGate(options: GateOptions) {
	const { auth, api, pages, liveUpgrades, devUpgrades, telemetry, program, dev, log } = options;

	/** Throws the refusal; gives the sender otherwise. */
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

	/** Null when a person was sent to the login page instead. */
	async function admit(request: IncomingMessage, proof: RequestProof) {
		const { target, access } = findTarget(request.method ?? '', pathOf(request), dev);
		if (access === 'open') return { target, principal: null };
		let principal: Principal | null;
		try {
			principal = await (target === 'pages' ? auth.recognize(proof) : auth.authenticate(proof));
		} catch (error) {
			// A browser with an old cookie is no guesser: it gets the login page, however often it asks.
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
		// Pieces of unknown length are what no page of ours sends, and what the API's reader cannot bound.
		if (request.headers['transfer-encoding'] !== undefined) throw new AppError('request/length');
		if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) throw new AppError('request/too-large');
		switch (admitted.target) {
			case 'api':
				return await api(request, response);
			case 'pages':
				return await servePage(request, response);
			case 'wrong-method':
				throw new AppError('request/method');
			case 'nowhere':
				throw new AppError('route/not-found');
		}
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
			// Until somebody has taken it over: a peer that leaves meanwhile must not end the process.
			const leave = () => socket.destroy();
			socket.on('error', leave);
			try {
				const take = await upgrade(request);
				socket.off('error', leave);
				take(request, socket, head);
			} catch (thrown) {
				refuseSocket(socket, toAppError(thrown, logFailureOf(request)).status);
			}
		},
	};
}
