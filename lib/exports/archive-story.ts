import type { FeatureOutcome, Manifest } from '../contract/archives/features.ts';
import type { Note } from '../contract/sessions/notes.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { noteOf } from '../replay/notes-in.ts';
import { fold } from '../session/fold.ts';
import { emptyView } from '../session/view.ts';

/** One session of an archive as a reader sees it: the fold of all its events, and the rows of its story by seq. */
export interface SessionStory {
	view: SessionView;
	rows: readonly Row[];
	/** What reviewers noted, the oldest first. */
	notes: readonly Note[];
}

/** What an export for people is made of. */
export interface ArchiveStory {
	manifest: Manifest;
	outcome: FeatureOutcome | null;
	/** What was said is left out. */
	redacted: boolean;
	sessions: readonly SessionStory[];
	/** Texts of agents. */
	documents: readonly { name: string; text: string }[];
	/** Why not everything is here, in words for a person. */
	missing?: string;
}

/** Folds a session's events into its story, one after another by seq. */
export function createSessionStory(sessionId: string) {
	const rows = new Map<string, Row>();
	const notes: Note[] = [];
	let view = emptyView(sessionId);
	return {
		add(event: IndexedEvent): void {
			const step = fold(view, event, (key) => rows.get(key));
			for (const row of step.rows) rows.set(row.key, row);
			view = step.view;
			const note = noteOf(event);
			if (note) notes.push(note);
		},
		story: (): SessionStory => ({ view, notes, rows: [...rows.values()].sort((one, other) => one.seq - other.seq) }),
	};
}
