import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_WAIT_MS = 120_000;
const MAX_REFUSAL_BYTES = 2000;

export interface ServiceCall {
	url: string;
	method?: 'GET' | 'POST';
	headers?: Record<string, string>;
	body?: string | Uint8Array<ArrayBuffer>;
	timeoutMs: number;
	signal: AbortSignal;
}

/** `callForBytes` as text. */
export async function callService(call: ServiceCall): Promise<string> {
	return (await callForBytes(call)).toString('utf8');
}

/**
 * Calls a service that the settings name. Follows no redirect, which would carry the token to another host. Throws
 * ServiceFailure.
 */
export async function callForBytes({
	url,
	method = 'POST',
	headers,
	body,
	timeoutMs,
	signal,
}: ServiceCall): Promise<Buffer<ArrayBuffer>> {
	const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
	let response: Response;
	let text: string;
	try {
		response = await fetch(url, { method, headers, body, redirect: 'manual', signal: limit });
		if (response.ok) return await readWhole(response);
		text = (await readAnswer(response, MAX_REFUSAL_BYTES)).subarray(0, MAX_REFUSAL_BYTES).toString();
	} catch (error) {
		if (error instanceof ServiceFailure) throw error;
		throw new ServiceFailure(
			limit.aborted && !signal.aborted ? 'it did not answer in time' : `it cannot be reached${codeOf(error)}`,
		);
	}
	const { status } = response;
	const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 429;
	throw new ServiceFailure(`it answered ${status}`, {
		isFinal,
		status,
		answer: text,
		waitMs: waitOf(response.headers.get('retry-after')),
	});
}

async function readWhole(response: Response): Promise<Buffer<ArrayBuffer>> {
	const bytes = await readAnswer(response, MAX_ANSWER_BYTES);
	if (bytes.length > MAX_ANSWER_BYTES) throw new ServiceFailure('its answer is too long', { isFinal: true });
	return bytes;
}

/** The whole answer, or one chunk more than `most` bytes of it. */
async function readAnswer(response: Response, most: number): Promise<Buffer<ArrayBuffer>> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > most) break;
	}
	return Buffer.concat(chunks);
}

/** The words of `fetch` may repeat the address; the code of its cause does not. */
function codeOf(error: unknown): string {
	const cause = error instanceof Error ? error.cause : undefined;
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
}

function waitOf(header: string | null): number | undefined {
	const seconds = header === null ? Number.NaN : Number(header);
	return Number.isFinite(seconds) && seconds > 0 ? Math.min(MAX_WAIT_MS, seconds * 1000) : undefined;
}

/** Why a service failed. Its words never hold an address or a token: both can be secrets. */
export class ServiceFailure extends Error {
	readonly isFinal: boolean;
	readonly waitMs: number | undefined;
	readonly status: number | undefined;
	/** The beginning of its answer, which is foreign text. */
	readonly answer: string | undefined;

	constructor(
		message: string,
		{ isFinal = false, waitMs, status, answer: text }: Partial<Omit<ServiceFailure, keyof Error>> = {},
	) {
		super(message);
		this.isFinal = isFinal;
		this.waitMs = waitMs;
		this.status = status;
		this.answer = text;
	}
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
