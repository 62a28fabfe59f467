import { clockTime } from '#lib/time/clock.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';
import { useSay } from '../../language/use-say.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { NoteForm, OneNote } from './note-form.tsx';
import { useNotes } from './notes-context.ts';

interface NoteDialogProps {
	sessionId: string;
	place: NoteTarget;
	onClose: () => void;
}

/** What reviewers noted about a stage or a stretch of time, and the form for one more. */
export function NoteDialog({ sessionId, place, onClose }: NoteDialogProps) {
	const say = useSay();
	const { notes, mayAdd, reload } = useNotes();
	const { stage, from = '', to = '' } = place;
	const mine = notes.filter(
		(note) => note.stage === stage && (note.from ?? '') <= to && (note.to ?? '') >= from && note.row === undefined,
	);
	const time = `${clockTime(Date.parse(from))} – ${clockTime(Date.parse(to))}`;
	const title = stage === undefined ? say('Notes on {time}', { time }) : say('Notes on stage {stage}', { stage });
	return (
		<Dialog title={title} open onOpenChange={(stays) => !stays && onClose()}>
			<div className="flex flex-col gap-2 overflow-y-auto p-4">
				{mine.map((note) => (
					<OneNote key={note.id} note={note} />
				))}
				{mine.length === 0 && !mayAdd && <p className="text-muted">{say('Nothing is noted here.')}</p>}
				{mayAdd && (
					<NoteForm
						sessionId={sessionId}
						place={place}
						onDone={() => {
							reload();
							onClose();
						}}
						onCancel={onClose}
					/>
				)}
			</div>
		</Dialog>
	);
}
