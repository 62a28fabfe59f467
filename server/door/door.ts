import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { HOOKS_PATH } from '#hooks-bridge/door/door-client.ts';
import { runFromHeaders } from '#hooks-bridge/door/hook-run.ts';
import { answerUnwritten } from '#hooks-bridge/engine/record.ts';
import type { HookAnswer } from '#hooks-bridge/ports/hook-answer.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { heldReview, readReviewRequest } from '#hooks-bridge/supervisor/hold-review.ts';
import { type AgentName, agentTable } from '#lib/agents/agent-table.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../process/log.ts';
import {
	answerWithOutput,
	answerWithText,
	answerWithTicket,
	type DoorTickets,
	holdForPerson,
	MAX_BODY_BYTES,
	openDoorKey,
	proveAnswers,
	readBody,
	type WantedTicket,
	waitForPerson,
} from './exchange.ts';
import { checkSocketPath, type SocketId, socketState } from './socket-path.ts';
import type { TurnTimelines } from './turn-timelines.ts';

/** What the door needs from the rest of the server. */
export interface DoorOptions {
	socketPath: string;
	ports: Ports;
	/** The one decision function (`hooks-bridge/engine/respond.ts`). */
	respond: (raw: unknown, run: HookRun, ports: Ports) => HookAnswer;
	/** Runs the jobs of one turn together, as `TurnTimelines` does; without it one after another. */
	together?: TurnTimelines['together'];
	tickets: DoorTickets;
	/** Called with each hook's client process, for the liveness check. */
	onClient?: (sessionId: string, pid: number) => void;
	/** Called with each hook run, for its environment. */
	onRun?: (sessionId: string, run: HookRun) => void;
	/** Called when a hook was answered, or waits for a person, with the time that took. */
	onAnswered?: (ms: number) => void;
	log: Log;
}

/** Five environment values of 4 KiB each, three bytes a character, with room for the rest. */
const MAX_HEADER_BYTES = 128 * 1024;
const AGENTS = new Map(agentTable.map(({ name }) => [`${HOOKS_PATH}${name}`, name]));
const TICKET_PATH = '/tickets/';
const IDLE_LOOK_MS = 20;
/** Answers wait for all hooks judged together: a few milliseconds of work. */
const BATCH_SIZE = 32;

interface ReceivedHook {
	agent: AgentName;
	raw: string;
	request: IncomingMessage;
	response: ServerResponse;
	/** When its body was complete, in ms of `performance.now()`. */
	since: number;
}

interface Judged {
	run: HookRun;
	named: boolean;
	answer: HookAnswer;
}

/**
 * Answers hooks on the unix socket: `POST /hooks/<agent>`, `GET /tickets/:id`, `POST /reviews`. A call that is not denied waits
 * for nothing.
 */
export function createDoor(options: DoorOptions) {
	const { socketPath, ports, respond, tickets, onClient, onRun, onAnswered, log } = options;
	const { together = (jobs) => jobs.map((job) => job()) } = options;
	const closing = new AbortController();
	let key = '';
	const received: ReceivedHook[] = [];

	const judge = ({ agent, raw, request }: ReceivedHook): Judged | { error: unknown } => {
		try {
			const { run, named } = runFromHeaders(request.headers, randomUUID(), agent);
			return { run, named, answer: respond(raw, { ...run, served: true }, ports) };
		} catch (error) {
			return { error };
		}
	};
	/** The verdict on a call remains even if its lines could not be written; nothing is judged again. */
	const failToWrite = (judged: Judged | { error: unknown }, error: unknown) =>
		'error' in judged ? judged : { ...judged, answer: answerUnwritten(judged.answer, error, judged.run, ports) };
	const reply = (response: ServerResponse, { run, named, answer }: Judged) => {
		if (run.clientPid !== undefined && !run.beside) onClient?.(answer.sessionId, run.clientPid);
		if (answer.refusal !== undefined) return answerWithText(response, 422, answer.refusal);
		onRun?.(answer.sessionId, run);
		const isAnswered = !answer.held && !answer.repeated && !answer.assess;
		const opening = isAnswered ? undefined : tickets.hold(wantedOf(answer, named));
		if (!opening) return answerWithOutput(response, answer.output);
		const waiting = { polls: named, closing: closing.signal };
		holdForPerson(response, opening, answer.output, tickets, waiting).catch((error: unknown) => fail(response, error));
	};
	const fail = (response: ServerResponse, error: unknown) => {
		log.error('door: a hook could not be answered', error);
		if (!response.headersSent) answerWithText(response, 500, 'Signalbox failed; the server log has the details.');
		else response.destroy();
	};
	const judgeTogether = (now: readonly ReceivedHook[]): (Judged | { error: unknown })[] => {
		try {
			return together(
				now.map((request) => () => judge(request)),
				failToWrite,
			);
		} catch (error) {
			return now.map(() => ({ error }));
		}
	};
	/** Judges the hooks of this turn; each is answered when all lines are on disk. */
	const answerAll = () => {
		const now = received.splice(0, BATCH_SIZE);
		if (received.length > 0) setImmediate(answerAll);
		const judged = judgeTogether(now);
		for (const [index, { response }] of now.entries()) {
			const found = judged[index] ?? { error: undefined };
			try {
				if ('error' in found) throw found.error;
				reply(response, found);
			} catch (error) {
				fail(response, error);
			}
		}
		const end = performance.now();
		for (const { since } of now) onAnswered?.(end - since);
	};
	const handle = (request: IncomingMessage, response: ServerResponse) => {
		const { method, url = '' } = request;
		// An open request is still judged: any other answer would let the call run unjudged.
		if (closing.signal.aborted) response.setHeader('connection', 'close');
		proveAnswers(request, response, key);
		const agent = method === 'POST' ? AGENTS.get(url) : undefined;
		if (agent !== undefined) {
			return readBody(request, MAX_BODY_BYTES, (raw) => {
				if (raw === null) return answerWithText(response, 413, 'A hook input may have at most 32 MiB.');
				const since = performance.now();
				if (received.push({ agent, raw, request, response, since }) === 1) setImmediate(answerAll);
			});
		}
		if (method === 'POST' && (url === REVIEW_PATH || url.startsWith(`${REVIEW_PATH}/`))) {
			return readBody(request, MAX_BODY_BYTES, (body) => {
				if (body === null) return answerWithText(response, 413, 'A review may have at most 32 MiB.');
				const done =
					url === REVIEW_PATH
						? openReview(request, body, response, { tickets, ports })
						: closeReview(url.slice(REVIEW_PATH.length + 1), body, response, tickets);
				done.catch((error: unknown) => fail(response, error));
			});
		}
		request.resume();
		if (method === 'GET' && url.startsWith(TICKET_PATH)) {
			const ticketId = url.slice(TICKET_PATH.length);
			waitForPerson(response, ticketId, tickets, closing.signal).catch((error: unknown) => fail(response, error));
			return;
		}
		const known = [...AGENTS.keys(), REVIEW_PATH].map((path) => `POST ${path}`);
		answerWithText(response, 404, `${known.join(', ')} or GET /tickets/ID`);
	};

	const servers: http.Server[] = [];
	let own: SocketId | undefined;

	/** Created under another name first, so that the path always leads to a socket with the right mode. */
	const listenAt = (path: string) =>
		new Promise<void>((resolve, reject) => {
			const draft = `${path}.new`;
			rmSync(draft, { force: true });
			const server = http.createServer({ keepAliveTimeout: 30_000, maxHeaderSize: MAX_HEADER_BYTES }, handle);
			server.once('error', reject);
			server.listen(draft, () => {
				server.off('error', reject);
				server.on('error', (error) => log.error('door: the socket failed', error));
				chmodSync(draft, 0o600);
				renameSync(draft, path);
				const { dev, ino } = lstatSync(path);
				own = { dev, ino };
				servers.push(server);
				resolve();
			});
		});
	const closeServer = (server: http.Server) =>
		new Promise<void>((resolve) => {
			// A connection becomes idle only after its last request.
			const hangUp = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
			server.close(() => {
				clearInterval(hangUp);
				resolve();
			});
			server.closeIdleConnections();
		});

	return {
		/** Resolves when hooks are answered. Only the holder of the instance lock may call it: it removes a stale socket. */
		async listen() {
			checkSocketPath(socketPath);
			key = openDoorKey(dirname(socketPath));
			await listenAt(socketPath);
		},
		/** Whether the path still leads to this socket. */
		checkSocket: () => socketState(socketPath, own),
		/** Which file the socket is; undefined before `listen`. */
		socket: () => own,
		/** Listens at the path again and replaces any socket there; open requests are still answered. */
		async retake() {
			const before = servers.splice(0);
			await listenAt(socketPath);
			for (const server of before) void closeServer(server);
		},
		/** Ends every wait with 503, answers the open requests, and removes the socket. */
		async close() {
			closing.abort();
			if (servers.length > 0 && socketState(socketPath, own) === 'own') rmSync(socketPath, { force: true });
			await Promise.all(servers.splice(0).map(closeServer));
		},
	};
}

export type Door = ReturnType<typeof createDoor>;

function wantedOf({ held, assess, repeated, keys }: HookAnswer, polls: boolean): WantedTicket {
	return { ...(held && { held }), ...(assess && { assess }), ...(repeated && { repeated }), keys, polls };
}

/** Path at which a supervisor's hook opens a ticket; below it, closes one. */
const REVIEW_PATH = '/reviews';

/** `POST /reviews`: opens a ticket for a review in the hook's own process, or for its denial. The hook gives the verdict. */
async function openReview(
	request: IncomingMessage,
	body: string,
	response: ServerResponse,
	{ tickets, ports }: { tickets: DoorTickets; ports: Ports },
): Promise<void> {
	const { run, named } = runFromHeaders(request.headers, randomUUID());
	const review = named ? readReviewRequest(body) : null;
	if (!review) return answerWithText(response, 400, 'Only a hook under the supervisor profile opens a review.');
	const held = heldReview(review, run, ports);
	if (!held) return answerWithText(response, 400, 'Only a stop or a question to the person is reviewed.');
	const remaining = Math.floor(review.ms / 1000);
	const ticket =
		review.denied === undefined
			? await tickets.openReview(held, review.ms)
			: await tickets.hold({ held: { ...held, run: { ...run, timeoutSeconds: remaining } }, keys: [], polls: true });
	if (!ticket) return answerWithOutput(response, null);
	answerWithTicket(response, ticket, null);
}

/** `POST /reviews/:id`: the review is over. 200 with a person's earlier decision, else 410. */
async function closeReview(
	ticketId: string,
	how: string,
	response: ServerResponse,
	tickets: DoorTickets,
): Promise<void> {
	const outcome = await tickets.closeReview(ticketId, `the review ended: ${printable(how, 100)}`);
	if (outcome.kind === 'answer') return answerWithOutput(response, outcome.output);
	answerWithText(response, 410, 'Nobody has decided this review.');
}
