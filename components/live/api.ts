import * as z from 'zod';
import { Denial } from '#lib/contract/catalogue/approval.ts';
import type { UnaskedDenial } from '#lib/contract/denials.ts';
import { type ApprovalRecord, type DecisionBody, Me } from '#lib/contract/http.ts';
import type { Row } from '#lib/session/row.ts';
import type { SessionsPage } from '#lib/session/session-page.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';
import { addressPart } from '#lib/text/well-formed.ts';
import type { Point } from '#lib/timeline/density.ts';
import type { Observation } from '#lib/workflow/observation.ts';
import { sessionHeader } from './session-token.ts';
import { liveStore } from './store.ts';

/** What a request came to; `status` 0 means that nobody answered. */
export type Answer<Data> = { ok: true; data: Data } | Refused;

interface Refused {
	ok: false;
	status: number;
	code: string;
	message: string;
	/** What a person has to see before they can override it too. */
	denials?: readonly Denial[];
}

/** Which sessions are asked for; see `GET /api/sessions`. */
export interface SessionsWish {
	limit?: number;
	before?: string | undefined;
	q?: string | undefined;
	ids?: string;
	alarmed?: true;
	zone?: number;
}

interface Range {
	before?: number;
	after?: number;
	limit?: number;
	row?: string;
}

/** Rows asked for at once. */
export const RANGE_ROWS = 200;

const sessionPath = (sessionId: string, what: string, range: Range) => {
	const entries = Object.entries(range).filter(([, value]) => value !== undefined);
	const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)]));
	return `/api/sessions/${encodeURIComponent(sessionId)}/${what}?${query}`;
};

/** Who this browser is. */
export function getMe(): Promise<Answer<Me>> {
	return requestAs('/api/me', Me);
}

/** Rows of a session by range (`before` and `after` are a row's seq, exclusive), ascending. */
export function getRows(sessionId: string, range: Range): Promise<Answer<{ rows: Row[] }>> {
	return request(sessionPath(sessionId, 'rows', range));
}

/** When a session was busy, by events that are spread over it. */
export function getDensity(sessionId: string): Promise<Answer<{ points: Point[] }>> {
	return request(`/api/sessions/${encodeURIComponent(sessionId)}/density`);
}

/** Events of a session after a seq, ascending; with `row` only those of one row. */
export function getEvents(sessionId: string, range: Range): Promise<Answer<{ events: IndexedEvent[] }>> {
	return request(sessionPath(sessionId, 'events', range));
}

/** A value that was too large for its event, as text. */
export function getBlob(sessionId: string, sha: string): Promise<Answer<string>> {
	return request(`/api/sessions/${encodeURIComponent(sessionId)}/blobs/${sha}`, {}, readText);
}

/** A handoff by its file's name, as text. */
export function getHandoff(sessionId: string, name: string): Promise<Answer<string>> {
	return request(`/api/sessions/${encodeURIComponent(sessionId)}/handoffs/${addressPart(name)}`, {}, readText);
}

/** Habits that were observed in a session, the surest first. */
export function getObservations(sessionId: string): Promise<Answer<{ observations: Observation[] }>> {
	return request(`/api/sessions/${encodeURIComponent(sessionId)}/observations`);
}

/** A page of the list of sessions, or those that fit a question. */
export function getSessions(query: SessionsWish): Promise<Answer<SessionsPage & { epoch: string }>> {
	const entries = Object.entries(query).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, String(value)]],
	);
	return request(`/api/sessions?${new URLSearchParams(entries)}`);
}

/** The view of one session, for what its summary does not hold. */
export function getSession(sessionId: string): Promise<Answer<{ session: SessionView }>> {
	return request(`/api/sessions/${encodeURIComponent(sessionId)}`);
}

/** Approvals of all sessions and states, the newest first. */
export function getApprovals(limit: number): Promise<Answer<{ approvals: ApprovalRecord[] }>> {
	return request(`/api/approvals?limit=${limit}`);
}

/** One approval, with what became of it. */
export function getApproval(approvalId: string): Promise<Answer<{ approval: ApprovalRecord }>> {
	return request(`/api/approvals/${encodeURIComponent(approvalId)}`);
}

/** Earlier approvals of the same question, the newest first. */
export function getSimilarApprovals(approvalId: string): Promise<Answer<{ approvals: ApprovalRecord[] }>> {
	return request(`/api/approvals?limit=20&similarTo=${encodeURIComponent(approvalId)}`);
}

/** What was denied while nobody was asked, and stands so; the newest first. */
export function getDenials(): Promise<Answer<{ denials: UnaskedDenial[] }>> {
	return request('/api/denials');
}

/** Decides an approval. 409 and 410 are answers like any other: somebody or something was faster. */
export function decide(approvalId: string, body: DecisionBody): Promise<Answer<{ approval: ApprovalRecord }>> {
	return post(`/api/approvals/${encodeURIComponent(approvalId)}`, body);
}

/**
 * Sends what only an operator may. Where a passkey is needed, the person is asked for it, for exactly this request, and it
 * is sent once more.
 */
export async function post<Data>(path: string, body: unknown): Promise<Answer<Data>> {
	const answer = await send<Data>(path, body);
	if (answer.ok || answer.code !== 'passkey/needed') return answer;
	const challenge = await send<unknown>('/api/passkeys/challenge', { path, body });
	if (!challenge.ok) return challenge;
	const { askPasskey } = await import('./ask-passkey.ts');
	const proof = await askPasskey(challenge.data);
	if (proof === null) return refused(403, 'passkey/needed', 'No passkey was given. Nothing was changed.');
	return send<Data>(path, body, { 'x-signalbox-passkey': proof });
}

function send<Data>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Data>> {
	const all = { 'content-type': 'application/json', ...headers };
	return request(path, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

const readJson = async (response: Response): Promise<unknown> => (response.status === 204 ? null : response.json());
/** The body as it is, for `request`. */
export const readText = (response: Response): Promise<unknown> => response.text();

/** What a request says beyond its path. */
interface Init {
	method?: 'POST';
	headers?: Record<string, string>;
	body?: string;
}

/** One request to the API, with the token that proves that this page sends it; never rejects, and never waits longer than the server would. */
export async function request<Data>(path: string, init: Init = {}, read = readJson): Promise<Answer<Data>> {
	const late = new AbortController();
	const timer = setTimeout(() => late.abort(), LONGEST_MS);
	let isTaken = false;
	try {
		const headers = { ...init.headers, ...sessionHeader() };
		const { signal } = late;
		const response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store', signal });
		isTaken = response.ok;
		// Rejects where the connection ends within the answer.
		if (response.ok) return { ok: true, data: (await read(response)) as Data };
		const body = await readJson(response).catch(() => null);
		return { ...refused(response.status, ...wordsOf(body)), ...denialsIn(body) };
	} catch {
		return refused(0, 'server/failed', late.signal.aborted ? TOO_LATE : isTaken ? CUT_OFF : NO_ANSWER);
	} finally {
		clearTimeout(timer);
	}
}

/** What the API answers at `path`, if it has the form that this page knows. */
export async function requestAs<Schema extends z.ZodType>(
	path: string,
	schema: Schema,
): Promise<Answer<z.infer<Schema>>> {
	const answer = await request<unknown>(path);
	if (!answer.ok) return answer;
	const read = schema.safeParse(answer.data);
	return read.success
		? { ok: true, data: read.data }
		: refused(200, 'request/invalid', 'The server is of another version.');
}

/** As long as the server gives a request. */
const LONGEST_MS = 30_000;
const NO_ANSWER = 'The server does not answer. Nothing was changed.';
const CUT_OFF =
	'The connection ended within the answer. The server has taken this; what stands is shown once it answers.';
const TOO_LATE = 'The server gave no answer within 30 s. It may have taken this; what stands is shown once it answers.';

const refused = (status: number, code: string, message: string) => ({ ok: false, status, code, message }) as const;

function denialsIn(body: unknown): Pick<Refused, 'denials'> {
	const read = Denials.safeParse(body);
	return read.success ? { denials: read.data.error.denials } : {};
}

const Denials = z.object({ error: z.object({ denials: z.array(Denial) }) });

/** The code and words of an error body, whatever really came. */
function wordsOf(body: unknown): [string, string] {
	const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
	if (typeof error !== 'object' || error === null) return ['server/failed', 'The server gave no reason.'];
	const code = 'code' in error ? String(error.code) : 'server/failed';
	if (code === 'auth/missing' || code === 'auth/half') {
		const program = liveStore.getState().me?.program ?? 'signalbox';
		return [code, `You are signed out. Run “${program} open” in a terminal for a fresh link.`];
	}
	return [code, 'message' in error ? String(error.message) : code];
}
