import { createContext, useContext } from 'react';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';

interface SessionNotes {
	notes: readonly Note[];
	labels: readonly string[];
	mayAdd: boolean;
	reload: () => void;
	/** Opens the notes on a time span or a stage, with a form for a new one. */
	open: (target: NoteTarget) => void;
}

export const noNotes: SessionNotes = { notes: [], labels: [], mayAdd: false, reload: () => {}, open: () => {} };
export const NotesContext = createContext(noNotes);

/** Notes of the session around it; outside of a `SessionNotesProvider` there are none. */
export const useNotes = (): SessionNotes => useContext(NotesContext);
