import { useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { notesOfRows } from '#lib/timeline/note-marks.ts';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/keys/use-shortcut.ts';
import { NoteForm, OneNote } from './note-form.tsx';
import { useNotes } from './notes-context.ts';

interface RowNotesProps {
	sessionId: string;
	row: Row;
	/** Of a row that is about a stage: its notes are shown, too. */
	stage?: string | undefined;
}

/** What reviewers noted about a row, its stage and its time, and the form for one more. */
export function RowNotes({ sessionId, row, stage }: RowNotesProps) {
	const say = useSay();
	const { notes, mayAdd, reload, open } = useNotes();
	const [isOpen, setOpen] = useState(false);
	useShortcut('note', () => mayAdd && setOpen(true));
	const own = new Set(notesOfRows([row], notes).get(row.key));
	const mine = notes.filter((note) => own.has(note) || (stage !== undefined && note.stage === stage));
	if (mine.length === 0 && !mayAdd) return null;
	return (
		<section aria-label={say('Notes')} className="flex flex-col gap-2 border-line border-t pt-2">
			{mine.map((note) => (
				<OneNote key={note.id} note={note} />
			))}
			{isOpen && (
				<NoteForm
					sessionId={sessionId}
					place={{ row: row.key, rowAt: row.at }}
					onDone={() => {
						setOpen(false);
						reload();
					}}
					onCancel={() => setOpen(false)}
				/>
			)}
			{!isOpen && mayAdd && (
				<div className="flex flex-wrap items-center gap-2">
					<Button size="small" aria-keyshortcuts="m" onClick={() => setOpen(true)}>
						{say('Add a note')}
					</Button>
					{stage !== undefined && (
						<Button size="small" onClick={() => open({ stage })}>
							{say('Note on the stage')}
						</Button>
					)}
					<span className="text-muted text-small">
						{say('Shift and a click on another line notes both and what lies between.')}
					</span>
				</div>
			)}
		</section>
	);
}
