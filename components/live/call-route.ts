import type * as z from 'zod';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { hubRoutes } from '#lib/contract/routes/hub-rights.ts';
import { routeUrl, splitRoute } from '#lib/contract/routes/route-spec.ts';
import type { AnswerOf, RequestOf, RouteKey } from '#lib/contract/routes/route-table.ts';
import { sessionHeader } from './browser-storage.ts';
import { isHubPage } from './hub.tsx';
import { liveStore } from './store.ts';

/** Result of a request. `status` 0: the server did not answer. */
export type Answer<Data> = { ok: true; data: Data } | Refused;

interface Refused {
	ok: false;
	status: number;
	code: string;
	message: string;
	/** New denials that the user must see before overriding them too. */
	denials?: readonly Denial[];
}

export type RouteAnswer<Key extends RouteKey> = Answer<AnswerOf<Key>>;

interface RequestParts {
	params?: Record<string, string>;
	query?: object;
	body?: unknown;
}

/**
 * Calls a route by name. Never rejects. If a passkey is needed, asks for it and sends the request again. Imports only types of
 * the route table, whose schemas would outweigh the page.
 */
export async function callRoute<Key extends RouteKey>(
	key: Key,
	...[parts]: object extends RequestOf<Key> ? [parts?: RequestOf<Key>] : [parts: RequestOf<Key>]
): Promise<RouteAnswer<Key>> {
	const { params, query, body = {} }: RequestParts = parts ?? {};
	if (isOnlyAtMachine(key)) return refusal(404, 'hub/at-machine', AT_MACHINE);
	const path = routeUrl(key, params, query);
	if (splitRoute(key)[0] === 'GET') return request(path, {});
	const answer = await send<AnswerOf<Key>>(path, body);
	if (answer.ok || answer.code !== 'passkey/needed') return answer;
	const challengePath = isHubPage() ? '/api/hub/passkeys/challenge' : '/api/passkeys/challenge';
	const challenge = await send<unknown>(challengePath, { path, body });
	if (!challenge.ok) return challenge;
	return sendProven(challenge.data, (proof) => send(path, body, { 'x-signalbox-passkey': proof }));
}

/** Asks for a passkey with these options and sends its answer (base64url of JSON); sends nothing if declined. */
export async function sendProven<Data>(
	options: unknown,
	sendWith: (proof: string) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
	const { askPasskey } = await import('./ask-passkey.ts');
	const proof = await askPasskey(options);
	return proof === null
		? refusal(403, 'passkey/needed', 'No passkey was given. Nothing was changed.')
		: sendWith(proof);
}

/** `callRoute` with validation of the answer, because the server may be newer than the page. */
export async function callRouteAs<Key extends RouteKey>(
	key: Key & (object extends RequestOf<Key> ? Key : never),
	schema: z.ZodType<AnswerOf<Key>>,
): Promise<RouteAnswer<Key>> {
	if (isOnlyAtMachine(key)) return refusal(404, 'hub/at-machine', AT_MACHINE);
	const answer = await request<unknown>(splitRoute(key)[1], {});
	if (!answer.ok) return answer;
	const read = schema.safeParse(answer.data);
	return read.success
		? { ok: true, data: read.data }
		: refusal(200, 'request/invalid', 'The server is of another version.');
}

const isOnlyAtMachine = (key: RouteKey) => isHubPage() && !hubRoutes.has(key);

function send<Data>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Data>> {
	const allHeaders = { 'content-type': 'application/json', ...headers };
	return request(path, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) });
}

interface Init {
	method?: 'POST';
	headers?: Record<string, string>;
	body?: string;
}

async function request<Data>(path: string, init: Init): Promise<Answer<Data>> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), TIME_LIMIT_MS);
	let isAccepted = false;
	try {
		const headers = { ...init.headers, ...sessionHeader() };
		const { signal } = timeout;
		const response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store', signal });
		isAccepted = response.ok;
		// Rejects if the connection breaks while the body is read.
		if (response.ok) return { ok: true, data: await readAnswer(response) };
		const body = await response.json().catch(() => null);
		return { ...refusal(response.status, ...errorIn(body)), ...denialsIn(body) };
	} catch {
		return refusal(0, 'server/failed', timeout.signal.aborted ? TOO_LATE : isAccepted ? CUT_OFF : NO_ANSWER);
	} finally {
		clearTimeout(timer);
	}
}

/** Answers are JSON, text or empty. JSON is not validated: the server's handlers are typed by the same contract. */
const readAnswer = (response: Response) => {
	if (response.status === 204) return null;
	return response.headers.get('content-type')?.startsWith('text/plain') ? response.text() : response.json();
};

/** The time limit of the server for a request (ms). */
const TIME_LIMIT_MS = 30_000;
const AT_MACHINE = 'This is done at the machine itself, not at its hub.';
const NO_ANSWER = 'The server does not answer. Nothing was changed.';
const CUT_OFF =
	'The connection ended within the answer. The server has taken this; what stands is shown once it answers.';
const TOO_LATE = 'The server gave no answer within 30 s. It may have taken this; what stands is shown once it answers.';

const refusal = (status: number, code: string, message: string) => ({ ok: false, status, code, message }) as const;

function denialsIn(body: { error?: { denials?: readonly Denial[] } } | null): Pick<Refused, 'denials'> {
	const denials = body?.error?.denials;
	return Array.isArray(denials) ? { denials } : {};
}

function errorIn(body: unknown): [string, string] {
	const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
	if (typeof error !== 'object' || error === null) return ['server/failed', 'The server gave no reason.'];
	const code = 'code' in error ? String(error.code) : 'server/failed';
	if (code === 'auth/missing' || code === 'auth/half') {
		const program = liveStore.getState().me?.program ?? 'signalbox';
		return [code, `You are signed out. Run “${program} open” in a terminal for a fresh link.`];
	}
	return [code, 'message' in error ? String(error.message) : code];
}
