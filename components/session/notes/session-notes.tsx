import dynamic from 'next/dynamic';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';
import { type Answer, callRoute } from '../../live/call-route.ts';
import { useMayAct } from '../../live/hub.tsx';
import { useAnswer } from '../../live/use-answer.ts';
import { NotesContext, noNotes } from './notes-context.ts';

const NoteDialog = dynamic(() => import('./notes.tsx').then((module) => module.NoteDialog));

const REFRESH_MS = 30_000;

interface SessionNotesProps {
	sessionId: string;
	/** Reads notes from another source than the server; then none can be added. */
	read?: ((sessionId: string) => Promise<Answer<{ notes: Note[] }>>) | undefined;
	children: ReactNode;
}

/** Loads the notes of a session once for everything inside, and shows notes that belong to no row. */
export function SessionNotesProvider({ sessionId, read, children }: SessionNotesProps) {
	const mayDecide = useMayAct('notes');
	const [target, open] = useState<NoteTarget | null>(null);
	const ask = useCallback(
		() => (read ? read(sessionId) : callRoute('GET /api/sessions/:id/notes', { params: { id: sessionId } })),
		[sessionId, read],
	);
	const { data, reload } = useAnswer(ask, read ? undefined : REFRESH_MS);
	const mayAdd = mayDecide && !read;
	const value = useMemo(() => {
		const notes = data?.notes ?? noNotes.notes;
		const labels = [...new Set(notes.flatMap((note) => note.labels))].sort();
		return { notes, labels, mayAdd, reload, open };
	}, [data, mayAdd, reload]);
	return (
		<NotesContext value={value}>
			{children}
			{target && <NoteDialog sessionId={sessionId} place={target} onClose={() => open(null)} />}
		</NotesContext>
	);
}
