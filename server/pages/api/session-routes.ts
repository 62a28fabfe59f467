import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { SearchResult } from '#lib/contract/sessions/session-queries.ts';
import { isHomeSession } from '#lib/ids/session-name.ts';
import { parsedJson } from '#lib/json/json.ts';
import { excerptOf, searchTerms } from '#lib/search/said-text.ts';
import { seqUntil } from '#lib/session/row.ts';
import { readPoints } from '#lib/timeline/density.ts';
import { readObservation } from '#lib/workflow/observation.ts';
import { isFolder } from '../../process/is-folder.ts';
import type { Feed } from '../../timeline/feed.ts';
import type { SearchableText, SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute, plainText } from './define-route.ts';

export interface SessionViews {
	viewOf(sessionId: string): SessionView | undefined;
	views(): SessionView[];
}

export interface SessionRouteOptions {
	reads: Pick<SessionReads, 'view' | 'events' | 'rows' | 'timesOf'>;
	feed: Pick<Feed, 'summaries' | 'listEpoch'>;
	building: () => ServerStatus['building'];
	now: () => number;
}

export function createSessionRoutes({ reads, feed, building, now }: SessionRouteOptions) {
	async function demandSession({ id }: { id: string }): Promise<SessionView> {
		const view = await reads.view(id);
		if (!view) throw new AppError(building() ? 'index/building' : 'session/not-found');
		return view;
	}

	return [
		defineRoute('GET /api/sessions', async ({ query: { alarmed, ...query } }) => {
			const epoch = feed.listEpoch();
			const page = await feed.summaries({ ...query, alarmed: alarmed !== undefined, now: now() });
			return { ...page, epoch };
		}),
		defineRoute('GET /api/sessions/:id', async ({ params }) => ({ session: await demandSession(params) })),
		defineRoute('GET /api/sessions/:id/events', async ({ params, query: { after, limit, row } }) => {
			const { sessionId } = await demandSession(params);
			return { events: await reads.events(sessionId, { after, limit, ...(row === undefined ? {} : { row }) }) };
		}),
		defineRoute('GET /api/sessions/:id/rows', async ({ params, query: { until, ...range } }) => {
			const { sessionId, seq } = await demandSession(params);
			if (until === undefined) return { rows: await reads.rows(sessionId, range) };
			const rowBefore = async (before: number) => (await reads.rows(sessionId, { before, limit: 1 }))[0];
			const begun = await seqUntil(rowBefore, seq, new Date(until).toISOString());
			const before = Math.min(begun + 1, range.before ?? seq + 1);
			return { rows: await reads.rows(sessionId, { ...range, before }) };
		}),
		defineRoute('GET /api/sessions/:id/density', async ({ params }) => {
			const { sessionId, seq } = await demandSession(params);
			return { points: await readPoints(seq, (seqs) => reads.timesOf(sessionId, seqs)) };
		}),
	];
}

/** No hook input is larger, so no honest blob is. */
const MAX_BLOB = 32 * 1024 * 1024;
const MAX_HANDOFF = 1024 * 1024;

/** Files beside a session's events: large values and handoffs, always as plain text, and observations. */
export function createSessionFileRoutes({ home }: { home: string }) {
	return [
		defineRoute('GET /api/sessions/:id/blobs/:sha', async ({ params: { id, sha }, context }) => {
			const bytes = await readSessionFile(join(sessionFolder(home, id), 'blobs'), sha, MAX_BLOB);
			// The file's name is its digest: a person must never approve anything but what was asked.
			if (createHash('sha256').update(bytes).digest('hex') !== sha) throw new AppError('file/changed');
			return plainText(context, bytes);
		}),
		defineRoute('GET /api/sessions/:id/handoffs/:name', async ({ params: { id, name }, context }) =>
			plainText(context, await readSessionFile(join(sessionFolder(home, id), 'handoffs'), name, MAX_HANDOFF)),
		),
		defineRoute('GET /api/sessions/:id/observations', ({ params }) => {
			const folder = sessionFolder(home, params.id);
			if (!isFolder(folder)) throw new AppError('session/not-found');
			return { observations: readObservations(folder) };
		}),
	];
}

/** Highest confidence first; of lines with the same id the last counts. */
function readObservations(folder: string): Observation[] {
	const read = readBounded(join(folder, 'observations.jsonl'), folder);
	const lines = read.ok ? read.text.split('\n') : [];
	const found = lines.flatMap((line) => readObservation(parsedJson(line)) ?? []);
	const byId = new Map(found.map((one) => [one.id, one]));
	return [...byId.values()].sort((a, b) => b.confidence - a.confidence);
}

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/** A regular file of this folder, not through a link. Throws `file/not-found`, or `file/too-large` over `max`. */
async function readSessionFile(folder: string, name: string, max: number): Promise<Buffer> {
	const path = join(folder, name);
	const file = await open(path, FLAGS).catch(() => {
		throw new AppError('file/not-found');
	});
	try {
		const stat = await file.stat();
		const { size } = stat;
		if (!stat.isFile() || dirname(await realpath(path)) !== join(await realpath(dirname(folder)), basename(folder))) {
			throw new AppError('file/not-found');
		}
		if (size > max) throw new AppError('file/too-large');
		const bytes = Buffer.alloc(size);
		let length = 0;
		while (length < size) {
			const { bytesRead } = await file.read(bytes, length, size - length, length);
			if (bytesRead === 0) break;
			length += bytesRead;
		}
		return bytes.subarray(0, length);
	} finally {
		await file.close();
	}
}

/** Results of other clients are filtered out here; after so many searches a page may be short. */
const SEARCHES = 10;

export interface SearchRouteOptions {
	reads: Pick<SessionReads, 'find' | 'view'>;
	building: SessionRouteOptions['building'];
}

/** Where something was said in all sessions; each row once, by the newest of its events. */
export function createSearchRoutes({ reads, building }: SearchRouteOptions) {
	/** Undefined if its session is gone or of another client. */
	async function resultOf(
		{ rowKey, event, text }: SearchableText,
		terms: readonly string[],
		client: string | undefined,
	) {
		const { sessionId, seq, ts: at, type } = event;
		const view = await reads.view(sessionId);
		const agent = view?.agent ?? FIRST_AGENT;
		if (!view || (client !== undefined && agent !== client)) return undefined;
		const { project, branch, title } = view;
		const session = { agent, ...(project && { project }), ...(branch && { branch }), ...(title && { title }) };
		return { sessionId, rowKey, seq, ...excerptOf(text, terms), at, type, ...session } satisfies SearchResult;
	}

	return [
		defineRoute('GET /api/search', async ({ query: { q, limit, before, make: client } }) => {
			const terms = searchTerms(q);
			const known = new Set<string>();
			const results: SearchResult[] = [];
			let next: number | null | undefined = before;
			for (
				let left = client === undefined ? 1 : SEARCHES;
				left > 0 && next !== null && results.length < limit;
				left--
			) {
				const found: SearchableText[] = [];
				next = await reads.find(terms, next, (candidate) => {
					const { sessionId } = candidate.event;
					const key = `${sessionId}\n${candidate.rowKey}`;
					if (isHomeSession(sessionId) || known.has(key)) return false;
					known.add(key);
					return results.length + found.push(candidate) === limit;
				});
				for (const match of found) {
					const result = await resultOf(match, terms, client);
					if (result) results.push(result);
				}
			}
			return { results, next: next ?? null, building: building() };
		}),
	];
}
