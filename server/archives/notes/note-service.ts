import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { Note, type NoteBody } from '#lib/contract/sessions/session-actions.ts';
import { wellFormed } from '#lib/text/printable.ts';
import type { Outbox } from '../../approvals/outbox.ts';
import type { JournalRow, JournalStore } from '../../timeline/store/journal-store.ts';

/** Each note is a permanent row of the journal. */
const MAX_NOTES = 1000;

/** The journal's subject for the notes of a session. */
export const noteSubject = (sessionId: string) => `note ${sessionId}`;

/** Reviewers' notes about a session; each is written to the journal first, then to the timeline. */
export function createNoteService(options: {
	outbox: Pick<Outbox, 'write'>;
	journal: Pick<JournalStore, 'bySubject'>;
	isKnown: (sessionId: string) => boolean;
}) {
	const { outbox, journal, isKnown } = options;
	const notesOf = (sessionId: string) => journal.bySubject(noteSubject(sessionId)).flatMap(noteOf);
	return {
		/** Oldest first, also for a deleted session. */
		list: notesOf,
		/** Resolves when durable. Throws `session/not-found`, or `request/invalid` if there are too many. */
		async add(sessionId: string, { row, rowAt, stage, from, to, text, labels }: NoteBody, by: Decider): Promise<Note> {
			if (!isKnown(sessionId)) throw new AppError('session/not-found');
			if (journal.bySubject(noteSubject(sessionId)).length >= MAX_NOTES)
				throw new AppError('request/invalid', `A session has at most ${MAX_NOTES} notes.`);
			const fields = {
				...(row !== undefined && { row: wellFormed(row), ...(rowAt !== undefined && { rowAt }) }),
				...(stage !== undefined && { stage: wellFormed(stage) }),
				...(from !== undefined && to !== undefined && { from, to }),
				text: wellFormed(text),
				labels: [...new Set(labels.map(wellFormed))],
				by,
			};
			const written = await outbox.write('note:add', { subject: noteSubject(sessionId), call: { sessionId }, fields });
			const [note] = written ? noteOf(written) : [];
			if (!note) throw new AppError('server/failed');
			return note;
		},
	};
}

export type NoteService = ReturnType<typeof createNoteService>;

/** Null if the note's fields were redacted. */
function noteOf({ id, ts, payload }: JournalRow): Note[] {
	const read = Note.safeParse({ ...payload, id, at: ts });
	return read.success ? [read.data] : [];
}
