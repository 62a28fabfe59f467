import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import type { SessionSummary, SessionsPage } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import { mergeSummaries } from '#lib/session/session-list.ts';
import { callRoute } from './call-route.ts';
import { liveStore, useLive } from './store.ts';

const PAGE = 200;
const MAX_IDS = 100;
const MAX_ALARMED = 500;

/** Loads sessions and merges them into the store. Returns null on failure, or if the list was reloaded meanwhile. */
async function loadPage(request: RequestOf<'GET /api/sessions'>['query']): Promise<SessionsPage | null> {
	const reloads = liveStore.getState().list?.reloads;
	const answer = await callRoute('GET /api/sessions', { query: { ...request, zone: new Date().getTimezoneOffset() } });
	const { sessions, list } = liveStore.getState();
	if (!answer.ok || !sessions || !list || list.reloads !== reloads || list.epoch !== answer.data.epoch) return null;
	liveStore.setState({ sessions: mergeSummaries(sessions, answer.data.sessions) });
	return answer.data;
}

/** Adds the next page to the list; nothing happens on the last one, or if the list was reloaded meanwhile. */
export async function fetchNextPage(): Promise<void> {
	const before = liveStore.getState().list?.next;
	if (!before) return;
	const page = await loadPage({ before, limit: PAGE });
	const { list } = liveStore.getState();
	if (page && list?.next === before) liveStore.setState({ list: { ...list, next: page.next } });
}

/** Filters of the session list: text, client, and at a hub team, project and machine. Null means all. */
export interface ListRequest {
	q: string;
	make: string | null;
	team: string | null;
	project: string | null;
	machine: string | null;
}

/** In the form of the route: an empty filter is left out. */
export function queryOf({ q, make, team, project, machine }: ListRequest) {
	const source = { team: team ?? undefined, project: project ?? undefined, machine: machine ?? undefined };
	return { q: q || undefined, make: make ?? undefined, ...source };
}

/** Searches on the server; what it finds is also merged into the store. Null on failure. */
export function fetchFound(request: ListRequest, before?: string): Promise<SessionsPage | null> {
	return loadPage({ ...queryOf(request), before, limit: PAGE });
}

/** Loads all sessions with an unacknowledged alarm since yesterday: these are shown above the list, wherever they are in it. */
export async function fetchAlarmed(request: ListRequest): Promise<void> {
	let before: string | undefined;
	do {
		const page = await loadPage({ alarmed: 'true', ...queryOf(request), before, limit: MAX_ALARMED });
		before = page?.next ?? undefined;
	} while (before !== undefined);
}

let queuedIds = new Set<string>();
const requested = { reloads: 0, ids: new Set<string>() };

/** Requests a session that is not loaded yet. Requests made at the same time are batched, and none is repeated. */
export function requestSession(sessionId: string): void {
	const { reloads = 0 } = liveStore.getState().list ?? {};
	if (requested.reloads !== reloads) Object.assign(requested, { reloads, ids: new Set() });
	if (requested.ids.has(sessionId)) return;
	requested.ids.add(sessionId);
	queuedIds.add(sessionId);
	if (queuedIds.size === 1) setTimeout(fetchQueued);
}

function fetchQueued(): void {
	const ids = [...queuedIds];
	queuedIds = new Set();
	for (let from = 0; from < ids.length; from += MAX_IDS) {
		void loadPage({ ids: ids.slice(from, from + MAX_IDS).join(',') });
	}
}

/** Summaries of these sessions that are loaded; requests the missing ones. */
export function useSummaries(sessionIds: readonly string[]): SessionSummary[] {
	const known = useLive(useShallow(({ sessions }) => sessionIds.map((sessionId) => sessions?.[sessionId])));
	const reloads = useLive(({ list }) => list?.reloads ?? 0);
	const missing = sessionIds.filter((_id, index) => known[index] === undefined).join(' ');
	useEffect(() => {
		if (reloads > 0) for (const sessionId of missing.split(' ').filter(Boolean)) requestSession(sessionId);
	}, [missing, reloads]);
	return known.filter((session) => session !== undefined);
}

/** Summary of a session; requested if it is missing, and undefined until loaded. */
export const useSummary = (sessionId: string): SessionSummary | undefined => useSummaries([sessionId])[0];

export const useMachine = (sessionId: string): Machine | undefined => useSummary(sessionId)?.machine;
