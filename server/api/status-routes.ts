import { Hono } from 'hono';
import type { ServerStatus } from '#lib/contract/status.ts';
import type { ApiEnv } from './api-env.ts';

/** How the server stands, for the Health page. */
export function createStatusRoutes({ status }: { status: () => ServerStatus }) {
	return new Hono<ApiEnv>().get('/api/status', (context) => context.json(status()));
}
