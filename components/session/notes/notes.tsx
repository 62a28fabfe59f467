import { type SyntheticEvent, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import { type NoteTarget, notesOfRows } from '#lib/timeline/note-marks.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAction } from '../../live/use-action.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useShortcut } from '../../ui/keys/use-shortcut.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNotes } from './notes-context.ts';

const MAX_TEXT = 2000;

interface NoteFormProps {
	sessionId: string;
	place: NoteTarget;
	onClose: () => void;
}

function NoteForm({ sessionId, place, onClose }: NoteFormProps) {
	const say = useSay();
	const { reload } = useNotes();
	const [text, setText] = useState('');
	const [labels, setLabels] = useState('');
	const { isBusy, refusal, run } = useAction();
	const names = labels.split(/[\s,#]+/u).filter(Boolean);

	async function add(event: SyntheticEvent) {
		event.preventDefault();
		if (isBusy || (text.trim() === '' && names.length === 0)) return;
		const body = { ...place, text, labels: names };
		const answer = await run(callRoute('POST /api/sessions/:id/notes', { params: { id: sessionId }, body }));
		if (!answer.ok) return;
		reload();
		onClose();
	}

	return (
		<form
			aria-label={say('Add a note')}
			onSubmit={(event) => void add(event)}
			onKeyDown={(event) => {
				if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add(event);
				if (event.key !== 'Escape') return;
				// Else the detail below the form would close, too.
				event.stopPropagation();
				onClose();
			}}
			className="flex flex-col gap-2"
		>
			<textarea
				// biome-ignore lint/a11y/noAutofocus: the user opened the form to write.
				autoFocus
				aria-label={say('Note')}
				value={text}
				maxLength={MAX_TEXT}
				rows={3}
				onChange={(event) => setText(event.target.value)}
				className="rounded border border-edge bg-surface p-2"
			/>
			<TextField isBare label={say('Labels')} placeholder={say('Labels')} value={labels} onWrite={setLabels} />
			<Alert>{refusal}</Alert>
			<div className="flex gap-2">
				<Button type="submit" kind="primary" disabled={isBusy}>
					{say('Add')}
				</Button>
				<Button onClick={onClose}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}

function OneNote({ note: { at, by, text, labels, stage, from, to } }: { note: Note }) {
	return (
		<div className="rounded border border-line bg-raised p-2">
			<p className="text-muted text-small">
				<AgentText>{by.name ?? by.via}</AgentText> · <time dateTime={at}>{dayAndTime(at)}</time>
				{stage !== undefined && (
					<>
						{' · '}
						<AgentText>{stage}</AgentText>
					</>
				)}
				{from !== undefined && to !== undefined && ` · ${clockTime(Date.parse(from))} – ${clockTime(Date.parse(to))}`}
			</p>
			{labels.length > 0 && (
				<p className="text-accent">
					<AgentText>{labels.map((label) => `#${label}`).join(' ')}</AgentText>
				</p>
			)}
			<AgentText className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</AgentText>
		</div>
	);
}

export function NoteDialog({ sessionId, place, onClose }: NoteFormProps) {
	const say = useSay();
	const { notes, mayAdd } = useNotes();
	const { stage, from = '', to = '' } = place;
	const shownNotes = notes.filter(
		(note) => note.stage === stage && (note.from ?? '') <= to && (note.to ?? '') >= from && note.row === undefined,
	);
	const time = `${clockTime(Date.parse(from))} – ${clockTime(Date.parse(to))}`;
	const title = stage === undefined ? say('Notes on {time}', { time }) : say('Notes on stage {stage}', { stage });
	return (
		<Dialog title={title} onClose={onClose}>
			<div className="flex flex-col gap-2 overflow-y-auto p-4">
				{shownNotes.map((note) => (
					<OneNote key={note.id} note={note} />
				))}
				{shownNotes.length === 0 && !mayAdd && <p className="text-muted">{say('Nothing is noted here.')}</p>}
				{mayAdd && <NoteForm sessionId={sessionId} place={place} onClose={onClose} />}
			</div>
		</Dialog>
	);
}

interface RowNotesProps {
	sessionId: string;
	row: Row;
	/** Stage of the row, if any; its notes are shown too. */
	stage?: string | undefined;
}

export function RowNotes({ sessionId, row, stage }: RowNotesProps) {
	const say = useSay();
	const { notes, mayAdd, open } = useNotes();
	const [isOpen, setOpen] = useState(false);
	useShortcut('note', () => mayAdd && setOpen(true));
	const own = new Set(notesOfRows([row], notes).get(row.key));
	const shownNotes = notes.filter((note) => own.has(note) || (stage !== undefined && note.stage === stage));
	if (shownNotes.length === 0 && !mayAdd) return null;
	return (
		<section
			aria-label={say('Notes')}
			className={cn('flex flex-col gap-2', (isOpen || shownNotes.length > 0) && 'basis-full')}
		>
			{shownNotes.map((note) => (
				<OneNote key={note.id} note={note} />
			))}
			{isOpen && (
				<NoteForm sessionId={sessionId} place={{ row: row.key, rowAt: row.at }} onClose={() => setOpen(false)} />
			)}
			{!isOpen && mayAdd && (
				<div className="flex flex-wrap items-center gap-2">
					<Button
						size="small"
						aria-keyshortcuts="m"
						title={say('Shift and a click on another line notes both and what lies between.')}
						onClick={() => setOpen(true)}
					>
						{say('Add a note')}
					</Button>
					{stage !== undefined && (
						<Button size="small" onClick={() => open({ stage })}>
							{say('Note on the stage')}
						</Button>
					)}
				</div>
			)}
		</section>
	);
}
