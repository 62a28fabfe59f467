import { createContext, useContext } from 'react';
import type { Note } from '#lib/contract/sessions/notes.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';

interface SessionNotes {
	/** The oldest first. */
	notes: readonly Note[];
	/** All labels that they have, in their order. */
	labels: readonly string[];
	mayAdd: boolean;
	reload: () => void;
	/** Shows what was noted about a stretch of time or a stage, and the form for one more. */
	open: (place: NoteTarget) => void;
}

/** Where no session is read. */
export const noNotes: SessionNotes = { notes: [], labels: [], mayAdd: false, reload: () => {}, open: () => {} };
/** Set by whoever reads the notes of a session for all inside. */
export const NotesContext = createContext(noNotes);

/** What reviewers noted about the session around this. */
export const useNotes = (): SessionNotes => useContext(NotesContext);
