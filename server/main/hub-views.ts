import type http from 'node:http';
import type { Hono } from 'hono';
import { type HubRole, mayAnywhere, scopeOf } from '#lib/hub/may.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { RealtimeServer } from '../pages/realtime/socket-types.ts';
import type { HubScope } from '../timeline/store/hub-store.ts';

/** What somebody reads of a hub. Without content: how sessions stand and what was decided, and nothing that was said. */
export interface Reading {
	scope: HubScope;
	content: boolean;
}

/** All that people of one reading get: nothing else can be reached by it. */
export interface HubView {
	api: Pick<Hono<ApiEnv>, 'fetch'>;
	/** Never listens: it is handed the upgrades of these people. */
	upgrades: http.Server;
	io: RealtimeServer;
	/** Ends the connections of a sign-in. */
	dropLogin(sessionHash: string): void;
	stop(): void;
}

/** Of readings that nobody watches, so many are kept for the next request. */
const MOST_IDLE = 50;

/**
 * What these roles read. Whoever audits reads without content; where somebody has another role as well, only that counts, so
 * that no list is of both kinds.
 */
export function readingOf(roles: readonly HubRole[]): Reading {
	const content = mayAnywhere(roles, 'read');
	return { content, scope: scopeOf(roles, content ? 'read' : 'watch') };
}

/** One view a distinct reading: a feed, routes and live connections over it, and over nothing else. */
export function createHubViews(open: (reading: Reading) => HubView) {
	/** The one that was asked for last is the last one. */
	const views = new Map<string, HubView>();
	const isWatched = ({ io }: HubView) => io.of('/').sockets.size > 0;

	function dropIdle() {
		const idle = [...views].filter(([, view]) => !isWatched(view));
		for (const [key, view] of idle.slice(0, -MOST_IDLE)) {
			view.stop();
			views.delete(key);
		}
	}

	return {
		/** For who has these roles; without any, a view of nothing. */
		of(roles: readonly HubRole[]): HubView {
			const reading = readingOf(roles);
			const key = JSON.stringify(reading);
			const view = views.get(key) ?? open(reading);
			views.delete(key);
			dropIdle();
			views.set(key, view);
			return view;
		},
		all: (): readonly HubView[] => [...views.values()],
	};
}
