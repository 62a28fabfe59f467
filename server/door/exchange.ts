import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UNTIL_HEADER } from '#hooks-bridge/door/door-client.ts';
import { DOOR_KEY, doorProof, readDoorKey } from '#hooks-bridge/door/hook-run.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { HookAnswer } from '#hooks-bridge/ports/hook-answer.ts';
import type { TicketPort, TicketRef } from '../approvals/ticket-port.ts';
import { openSecretFile } from '../process/secret-file.ts';

type Output = Record<string, unknown> | null;

/** 200 with the one JSON object that the hook prints, or an empty 200: the hook prints nothing. */
export function answerWithOutput(response: ServerResponse, output: Output): void {
	response.sendDate = false;
	answer(response, 200, textOf(output));
}

/** 303: the answer comes from the ticket's address; the body is what the hook prints if it gets none there. */
export function answerWithTicket(response: ServerResponse, { id, until }: TicketRef, output: Output): void {
	const headers = { location: `/tickets/${id}`, ...(until !== undefined && { [UNTIL_HEADER]: until }) };
	answer(response, 303, textOf(output), headers);
}

/** Any other status, with a sentence for the reader. If the request was not read to its end, its connection is closed. */
export function answerWithText(response: ServerResponse, status: number, text: string): void {
	if (status === 413) response.setHeader('connection', 'close');
	answer(response, status, text, {}, 'text/plain; charset=utf-8');
}

const textOf = (output: Output) => (output === null ? '' : JSON.stringify(output));

function answer(response: ServerResponse, status: number, body: string, headers = {}, type = 'application/json'): void {
	const proof = provers.get(response)?.(body) ?? '';
	response.writeHead(status, {
		...headers,
		'content-type': `${type}${proof}`,
		'content-length': Buffer.byteLength(body),
	});
	response.end(body);
}

/** Longest hook input in bytes: 32 MiB. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How long the rest of a too long body is read, so that the sender can read its 413. */
const DRAIN_MS = 1000;

/** Passes the whole body as text to `done`; otherwise as `readBytes`. */
export function readBody(request: IncomingMessage, max: number, done: (text: string | null) => void): void {
	readBytes(request, max, (bytes) => done(bytes === null ? null : bytes.toString('utf8')));
}

/**
 * Passes the whole body on once, null if longer than `max` bytes. A request that breaks off calls nothing. Callbacks: a promise
 * for each request would cost a tenth of the door's throughput.
 */
export function readBytes(request: IncomingMessage, max: number, done: (bytes: Buffer | null) => void): void {
	const chunks: Buffer[] = [];
	let size = 0;
	const tooLong = () => {
		request.off('data', addChunk).off('end', finish).resume();
		setTimeout(() => request.destroy(), DRAIN_MS).unref();
		done(null);
	};
	const addChunk = (chunk: Buffer) => {
		size += chunk.length;
		if (size > max) return tooLong();
		chunks.push(chunk);
	};
	const finish = () => {
		const [only] = chunks;
		done(chunks.length === 1 && only ? only : Buffer.concat(chunks, size));
	};
	if (Number(request.headers['content-length'] ?? 0) > max) return tooLong();
	request
		.on('data', addChunk)
		.on('end', finish)
		.on('error', () => request.destroy());
}

/** The home's key, created (0600) if missing or blank. Throws if something else is at its path. */
export function openDoorKey(home: string): string {
	return openSecretFile({
		home,
		name: DOOR_KEY,
		what: "key of the hooks' door",
		read: () => readDoorKey(home),
		mint: () => randomBytes(32).toString('hex'),
	});
}

const sha256 = (text: string) => hash('sha256', text, 'hex');

const provers = new WeakMap<ServerResponse, (body: string) => string>();

/** Adds the proof to the answer of this request, which its hook requires. An empty answer needs one only under `closed`. */
export function proveAnswers(request: IncomingMessage, response: ServerResponse, key: string): void {
	const { 'x-signalbox-profile': profile, 'x-signalbox-request': requestId } = request.headers;
	if (typeof requestId !== 'string') return;
	const isNeeded = (body: string) => body !== '' || profile === 'closed';
	provers.set(response, (body) => (isNeeded(body) ? `; proof=${doorProof(key, requestId, body, sha256)}` : ''));
}

/** The part of a hook's answer that says whether it has to wait, and for what. */
export type WantedTicket = Pick<HookAnswer, 'held' | 'assess' | 'repeated' | 'keys'> & {
	/** The caller fetches its answer later, within its own timeout. */
	polls: boolean;
};

/** What the door needs from the owner of tickets, which may be on another thread. */
export interface DoorTickets extends Pick<TicketPort, 'closeReview' | 'wait'> {
	/** The ticket at which a hook waits. Null: its own answer remains. Undefined if that is known at once. */
	hold(wanted: WantedTicket): Promise<TicketRef | null> | undefined;
	/** As `TicketPort.openReview`. */
	openReview(held: DeniedCall, ms: number): Promise<TicketRef | null>;
}

/** The tickets of a service: a held call has its own, a repeated run that of the first, an assessment the validator's. */
export function ticketsOf(service: TicketPort): DoorTickets {
	return {
		hold({ held, assess, repeated, keys, polls }) {
			if (held) return service.open(held, { polls, keys });
			const joined = repeated && service.find(keys);
			if (joined) return joined;
			return assess && service.assess?.(assess, { keys });
		},
		openReview: (held, ms) => service.openReview(held, ms),
		closeReview: (ticketId, reason) => service.closeReview(ticketId, reason),
		wait: (ticketId, signal) => service.wait(ticketId, signal),
	};
}

/** Aborts when the other side hangs up, or the door closes, before there is an answer. */
function waitEnds(response: ServerResponse, closing: AbortSignal): AbortSignal {
	const hungUp = new AbortController();
	response.once('close', () => hungUp.abort());
	return AbortSignal.any([hungUp.signal, closing]);
}

/**
 * A denied call that may still be allowed: 303 to its ticket, or the gate's output if no one can allow it. A caller that cannot
 * poll waits here.
 */
export async function holdForPerson(
	response: ServerResponse,
	opening: Promise<TicketRef | null>,
	own: Output,
	tickets: DoorTickets,
	{ polls, closing }: { polls: boolean; closing: AbortSignal },
): Promise<void> {
	const signal = waitEnds(response, closing);
	const ticket = await opening;
	if (ticket === null) return answerWithOutput(response, own);
	if (polls) return answerWithTicket(response, ticket, own);
	const outcome = await tickets.wait(ticket.id, signal);
	if (!response.destroyed) answerWithOutput(response, outcome.kind === 'answer' ? outcome.output : own);
}

/** The long poll: 200 once a person has decided, 410 if nobody did in time, 404 or 503 without an answer. */
export async function waitForPerson(
	response: ServerResponse,
	ticketId: string,
	tickets: DoorTickets,
	closing: AbortSignal,
): Promise<void> {
	const outcome = await tickets.wait(ticketId, waitEnds(response, closing));
	if (response.destroyed) return;
	switch (outcome.kind) {
		case 'answer':
			return answerWithOutput(response, outcome.output);
		case 'over':
			return answerWithText(response, 410, 'Nobody decided in time.');
		case 'unknown':
			return answerWithText(response, 404, 'There is no such ticket.');
		case 'stopping':
		case 'hung-up':
			return answerWithText(response, 503, 'The server is stopping.');
	}
}
