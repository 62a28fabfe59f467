import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Hono } from 'hono';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { AppError } from '#lib/contract/errors.ts';
import { BlobParam, HandoffParam } from '#lib/contract/http.ts';
import { SessionId } from '#lib/contract/ids.ts';
import type { ApiEnv } from './api-env.ts';
import { plainText } from './plain-text.ts';
import { readObservations } from './read-observations.ts';
import { demandId } from './read-request.ts';
import { readSessionFile } from './read-session-file.ts';

/** No hook input is larger, so no honest blob is. */
const LARGEST_BLOB = 32 * 1024 * 1024;
const LARGEST_HANDOFF = 1024 * 1024;

/** What lies beside a session's events: large values and handoffs, always as plain text, and what was observed. */
export function createSessionFileRoutes({ home }: { home: string }) {
	const routes = new Hono<ApiEnv>();

	routes.get('/api/sessions/:id/blobs/:sha', async (context) => {
		const { data } = BlobParam.safeParse(context.req.param());
		if (!data) throw new AppError('file/not-found');
		const bytes = await readSessionFile(join(sessionFolder(home, data.id), 'blobs'), data.sha, LARGEST_BLOB);
		// Its name is its digest: a person must never approve something else than what was asked.
		if (createHash('sha256').update(bytes).digest('hex') !== data.sha) throw new AppError('file/changed');
		return plainText(context, bytes);
	});

	routes.get('/api/sessions/:id/handoffs/:name', async (context) => {
		const { data } = HandoffParam.safeParse(context.req.param());
		if (!data) throw new AppError('file/not-found');
		const folder = join(sessionFolder(home, data.id), 'handoffs');
		return plainText(context, await readSessionFile(folder, data.name, LARGEST_HANDOFF));
	});

	routes.get('/api/sessions/:id/observations', (context) => {
		const sessionId = demandId(context, SessionId, 'session/not-found');
		return context.json({ observations: readObservations(home, sessionId) });
	});

	return routes;
}
