import type { NoteService } from '../../archives/notes/note-service.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Notes of reviewers about a session. */
export function createNoteRoutes({ notes }: { notes: NoteService }) {
	return [
		defineRoute('GET /api/sessions/:id/notes', ({ params }) => ({ notes: notes.list(params.id) })),
		defineRoute('POST /api/sessions/:id/notes', async ({ params, body, context }) => ({
			note: await notes.add(params.id, body, deciderOf(context)),
		})),
	];
}
