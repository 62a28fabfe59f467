import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { AppError } from '#lib/contract/errors.ts';
import { isFolder } from '../../process/is-folder.ts';
import { defineRoute } from './define-route.ts';
import { plainText } from './plain-text.ts';
import { readObservations } from './read-observations.ts';
import { readSessionFile } from './read-session-file.ts';

/** No hook input is larger, so no honest blob is. */
const LARGEST_BLOB = 32 * 1024 * 1024;
const LARGEST_HANDOFF = 1024 * 1024;

/** What lies beside a session's events: large values and handoffs, always as plain text, and what was observed. */
export function createSessionFileRoutes({ home }: { home: string }) {
	return [
		defineRoute('GET /api/sessions/:id/blobs/:sha', async ({ params: { id, sha }, context }) => {
			const bytes = await readSessionFile(join(sessionFolder(home, id), 'blobs'), sha, LARGEST_BLOB);
			// Its name is its digest: a person must never approve something else than what was asked.
			if (createHash('sha256').update(bytes).digest('hex') !== sha) throw new AppError('file/changed');
			return plainText(context, bytes);
		}),
		defineRoute('GET /api/sessions/:id/handoffs/:name', async ({ params: { id, name }, context }) =>
			plainText(context, await readSessionFile(join(sessionFolder(home, id), 'handoffs'), name, LARGEST_HANDOFF)),
		),
		defineRoute('GET /api/sessions/:id/observations', ({ params }) => {
			if (!isFolder(sessionFolder(home, params.id))) throw new AppError('session/not-found');
			return { observations: readObservations(home, params.id) };
		}),
	];
}
