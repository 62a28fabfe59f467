import { createContext, useContext } from 'react';
import type { Note } from '#lib/contract/sessions/notes.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';

interface SessionNotes {
	notes: readonly Note[];
	labels: readonly string[];
	mayAdd: boolean;
	reload: () => void;
	/** Shows what was noted about a stretch of time or a stage, and the form for one more. */
	open: (target: NoteTarget) => void;
}

export const noNotes: SessionNotes = { notes: [], labels: [], mayAdd: false, reload: () => {}, open: () => {} };
export const NotesContext = createContext(noNotes);

export const useNotes = (): SessionNotes => useContext(NotesContext);
