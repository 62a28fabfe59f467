import type { IncomingMessage } from 'node:http';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { systemErrorCode } from '../disk/system-error-code.ts';

/** `given`: no answer came, so the ticket's first answer is printed. `absent`: no server runs. `failed`: no usable answer. */
export type DoorAnswer =
	| { kind: 'output'; text: string; printedDenialOf?: string }
	| { kind: 'refusal'; text: string }
	| { kind: 'absent' }
	| { kind: 'failed' };

/** The path of hooks; a client's name follows. */
export const HOOKS_PATH = '/hooks/';

/** Header of the first answer about a call that waits: the deadline, ISO. */
export const UNTIL_HEADER = 'x-signalbox-until';

/** A call waits for a person: the approval's id, and until when (ISO). */
export interface Waiting {
	approvalId: string;
	until: string;
}

interface Reply {
	status: number;
	location: string;
	until: string;
	text: string;
	contentType: string | undefined;
}

const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Which client asks (absent: the first), and how long the first answer and a person's may take (ms). */
export interface AskBounds {
	agent?: string;
	firstMs: number;
	restMs: number;
	signal?: AbortSignal;
	onWaiting?: (waiting: Waiting) => Promise<void>;
	/** Checks whether an answer is proven; absent if no proof is needed. */
	isProven?: (answer: { text: string; contentType: string | undefined }) => boolean;
}

/**
 * Sends a hook input to the server, as hook.sh does. 200 is final. After 303 the ticket is polled; if it gives anything but 200,
 * the first body is printed. With `isProven`, answers that fail it are ignored.
 */
export async function askDoor(
	socketPath: string,
	body: string,
	headers: Record<string, string>,
	{ agent = FIRST_AGENT, firstMs, restMs, signal, onWaiting, isProven = () => true }: AskBounds,
): Promise<DoorAnswer> {
	const send = (method: string, path: string, text: string, ms: number): Promise<Reply> =>
		sendToDoor(socketPath, { method, path, text, headers, ms, ...(signal && { signal }) });
	try {
		const first = await send('POST', `${HOOKS_PATH}${agent}`, body, firstMs);
		if ((first.status === 200 || first.status === 303) && !isProven(first)) return { kind: 'failed' };
		if (first.status === 200) return { kind: 'output', text: first.text };
		if (first.status === 422) return { kind: 'refusal', text: first.text };
		if (first.status !== 303) return { kind: 'failed' };
		if (!/^\/tickets\/[\w-]+$/.test(first.location)) return { kind: 'output', text: first.text };
		const answer = send('GET', first.location, '', restMs).catch(() => null);
		if (first.until) await onWaiting?.({ approvalId: first.location.slice('/tickets/'.length), until: first.until });
		const second = await answer;
		if (second?.status === 200 && isProven(second)) return { kind: 'output', text: second.text };
		const isOwn = first.text !== '' && second?.status !== 410;
		return {
			kind: 'output',
			text: first.text,
			...(isOwn && { printedDenialOf: first.location.slice('/tickets/'.length) }),
		};
	} catch (error) {
		const code = systemErrorCode(error);
		return { kind: code === 'ECONNREFUSED' || code === 'ENOENT' ? 'absent' : 'failed' };
	}
}

/** One request to the door. Rejects if there is no answer within `ms`, if the answer is too long, or on `signal`. */
export async function sendToDoor(
	socketPath: string,
	sent: {
		method: string;
		path: string;
		text: string;
		headers: Readonly<Record<string, string>>;
		ms: number;
		signal?: AbortSignal;
	},
): Promise<Reply> {
	const { request } = await import('node:http');
	const { method, path, text, headers, ms } = sent;
	const late = AbortSignal.timeout(ms);
	const signal = sent.signal ? AbortSignal.any([late, sent.signal]) : late;
	return new Promise((resolve, reject) => {
		const options = { socketPath, path, method, headers: { ...headers, host: 'localhost' }, signal, agent: false };
		const call = request(options, (reply) => void readReply(reply).then(resolve, reject));
		call.on('error', reject);
		// As bytes: with a string body node would write the headers in UTF-8, too.
		call.end(Buffer.from(text));
	});
}

async function readReply(reply: IncomingMessage): Promise<Reply> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of reply) {
		const bytes = Buffer.from(chunk);
		chunks.push(bytes);
		length += bytes.length;
		if (length > MAX_REPLY_BYTES) throw new Error('the answer is too long');
	}
	const text = Buffer.concat(chunks).toString('utf8').trim();
	const { location = '', 'content-type': contentType, [UNTIL_HEADER]: until = '' } = reply.headers;
	return { status: reply.statusCode ?? 0, location, until: String(until), text, contentType };
}
