import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '#lib/contract/access/access.ts';
import { SESSION_HEADER } from '#lib/contract/access/session-token.ts';
import { emptyView } from '#lib/session/fold.ts';
import { createAccessList } from '../access/access-list.ts';
import { createApprovalLinks } from '../access/approval-links.ts';
import { createAuth } from '../access/auth.ts';
import { openOwnHost } from '../access/own-host.ts';
import { createPasskeys } from '../access/passkeys.ts';
import { principalOf } from '../access/principal.ts';
import { createPushService, openPushStore } from '../connect/notify/push-store.ts';
import type { RequestHandler } from '../http/front-gate.ts';
import { createHttpServer } from '../http/http-server.ts';
import { type ApiOptions, createApi } from '../pages/api/api.ts';
import { createTailFeed } from '../pages/realtime/tail-feed.ts';
import { createLog } from '../process/log.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { quietStatus } from './quiet-status.ts';

const ROLES = ['viewer', 'operator', 'edge'] as const satisfies readonly Role[];

interface Surroundings {
	dev: boolean;
	/** In the place of websockets and pages that only count. */
	live: http.Server;
	pages: RequestHandler;
	/** The server's terminal. */
	print: (line: string) => boolean;
}

/** An index that holds no session. */
const emptyReads: ApiOptions['reads'] = {
	events: async () => [],
	rows: async () => [],
	row: async () => undefined,
	view: async () => undefined,
	denials: async () => [],
	timesOf: async (_sessionId, seqs) => seqs.map(() => undefined),
	find: async () => null,
	ledger: async () => [],
};

export type Gate = Awaited<ReturnType<typeof openGate>>;

/** A listening server with the real gate and API; pages and websockets only count what reaches them. For tests. */
export async function openGate({
	live,
	pages,
	reads,
	...changes
}: Partial<Omit<ApiOptions, 'reads'>> & Partial<Surroundings> & { reads?: Partial<ApiOptions['reads']> } = {}) {
	const clock = { now: Date.now() };
	const now = () => clock.now;
	const lines: string[] = [];
	const log = createLog((line) => lines.push(line));
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-gate-'));
	const journal = await openSqliteJournal(join(folder, 'journal.db'));
	const ownHost = openOwnHost(folder);
	const auth = createAuth({ journal, host: ownHost, now });
	const links = createApprovalLinks({ journal, now });
	const reached: { pages: http.IncomingMessage[]; live: http.IncomingMessage[]; dev: http.IncomingMessage[] } = {
		pages: [],
		live: [],
		dev: [],
	};
	const origin = () => `http://${ownHost}:${(server.address() as AddressInfo).port}`;
	const passkeys = createPasskeys({ journal, origin, print: changes.print ?? ((line) => lines.push(line) > 0), now });
	const openly = changes.openly ?? { name: 'signalbox', where: '' };
	const tail: ApiOptions['tail'] = changes.tail ?? {
		views: () => [emptyView('s1'), emptyView('_home')],
		viewOf: (id) => (id === 's1' ? emptyView(id) : undefined),
		building: () => null,
	};
	const api = createApi({
		auth,
		reads: { ...emptyReads, view: async (id) => tail.viewOf(id), ...reads },
		feed: createTailFeed({ tail: { ...tail, onBatch: () => () => undefined }, index: { epoch: 'epoch-1' }, now }),
		tail,
		service: {
			list: () => [],
			similar: () => [],
			get: () => null,
			decide: async (id) => {
				throw new Error(`decided ${id}`);
			},
		},
		alarms: {
			handleAlarm: async (id) => {
				throw new Error(`handled an alarm of ${id}`);
			},
		},
		grants: {
			list: () => [],
			create: async () => {
				throw new Error('granted');
			},
			revoke: async (id) => {
				throw new Error(`revoked ${id}`);
			},
		},
		features: {
			list: async () => [],
			projects: () => [],
			create: async ({ name }) => {
				throw new Error(`made ${name}`);
			},
			detail: (id) => refused('asked for', id),
			file: (id) => refused('read', id),
			exported: (id) => refused('exported', id),
			redaction: (id) => refused('asked for', id),
			act: (id) => refused('moved', id),
		},
		archived: { read: async () => ({ lines: [], unread: 0 }) },
		retention: { plan: () => refused('asked for', 'what goes'), archivesOf: (id) => refused('asked for', id) },
		comparisons: {
			compare: async (a, b) => {
				throw new Error(`compared ${a} and ${b}`);
			},
		},
		notes: {
			list: () => [],
			add: async (id) => {
				throw new Error(`noted ${id}`);
			},
		},
		rejudge: {
			judge: async () => {
				throw new Error('judged again');
			},
		},
		settings: {
			preview: () => {
				throw new Error('looked at settings');
			},
			write: async () => {
				throw new Error('wrote settings');
			},
		},
		replay: {
			recording: async () => ({ sessions: [], failed: [] }),
			moment: async () => ({ happened: 0, previous: null, next: null }),
			chapters: async () => ({ before: [], after: [] }),
			part: async (id) => {
				throw new Error(`asked for a part of ${id}`);
			},
			rows: async () => [],
			events: async () => [],
		},
		workflows: {
			act: async (id) => {
				throw new Error(`acted on the workflow of ${id}`);
			},
		},
		passkeys,
		links,
		push: createPushService({ pushStore: openPushStore(folder, now), journal }),
		access: createAccessList({ journal, now, lastUsed: () => undefined, revoked: passkeys.forget }),
		subtasks: {
			create: async (id) => {
				throw new Error(`made subtasks of ${id}`);
			},
		},
		audit: () => ({ head: null, anchored: null, caveat: null, anchors: 0 }),
		status: () => quietStatus,
		supervisors: {
			saw: () => undefined,
			status: () => ({ id: 's1', enabled: false, count: 0, max: 20, timeoutSeconds: 600 }),
			act: async (id) => {
				throw new Error(`switched the supervisor of ${id}`);
			},
		},
		home: '/home/of/tests',
		program: 'signalbox',
		openly,
		undoSeconds: () => 0,
		observes: () => false,
		ready: () => true,
		sockets: () => 0,
		now,
		log,
		...changes,
	});
	const upgradesInto = (list: http.IncomingMessage[]) =>
		http.createServer().on('upgrade', (request, socket) => {
			list.push(request);
			socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
		});
	const server = createHttpServer({
		auth,
		api,
		pages:
			pages ??
			((request, response) => {
				reached.pages.push(request);
				response.end('page');
			}),
		ioUpgrades: live ?? upgradesInto(reached.live),
		nextUpgrades: upgradesInto(reached.dev),
		telemetry: { handles: () => false, receive: () => undefined },
		program: openly.name,
		dev: changes.dev ?? false,
		log,
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const tokens = Object.fromEntries(
		await Promise.all(ROLES.map(async (role) => [role, await auth.mintToken(role)] as const)),
	) as Record<Role, string>;

	return {
		auth,
		journal,
		passkeys,
		links,
		api,
		clock,
		lines,
		reached,
		port,
		tokens,
		host: `${ownHost}:${port}`,
		/** Signs in over HTTP's back door: the two halves of a fresh sign-in, and both as the headers of a request. */
		async logIn() {
			const { cookie: secret, sessionToken } = await auth.redeemLink(await auth.mintLink());
			const cookie = `signalbox-${port}=${secret}`;
			return { cookie, sessionToken, signedIn: { cookie, [SESSION_HEADER]: sessionToken } };
		},
		/** One request over a connection that is kept for the next; `headers` go out as given. */
		request: (method: string, path: string, headers: http.OutgoingHttpHeaders = {}, body?: string) =>
			sendRequest({ port, method, path, headers: { host: `${ownHost}:${port}`, ...headers } }, body),
		/** Writes bytes, closes its side, and gives what came back. */
		raw: (bytes: string | Uint8Array) => sendRaw(port, bytes),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await journal.close();
			rmSync(folder, { recursive: true });
		},
		principalOf,
	};
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

function sendRequest(options: http.RequestOptions, body?: string) {
	return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
		const request = http.request({ ...options, hostname: '127.0.0.1', agent, setHost: false }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				text += chunk;
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
			response.on('error', reject);
		});
		request.on('upgrade', (response, socket) => {
			socket.destroy();
			resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
		});
		request.on('error', reject);
		request.end(body);
	});
}

function sendRaw(port: number, bytes: string | Uint8Array) {
	return new Promise<string>((resolve) => {
		const socket = net.connect(port, '127.0.0.1');
		let text = '';
		socket.setEncoding('latin1');
		socket.on('data', (chunk: string) => {
			text += chunk;
		});
		socket.on('error', () => socket.destroy());
		socket.on('close', () => resolve(text));
		socket.end(bytes);
	});
}

/** What a route under test must not reach. */
const refused = (what: string, id: string) => Promise.reject(new Error(`${what} ${id}`));
