'use client';
import { type FormEvent, useCallback, useState } from 'react';
import type { Note } from '#lib/contract/notes.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useShortcut } from '../keys/use-shortcut.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';

const MOST_TEXT = 2000;

interface RowNotesProps {
	sessionId: string;
	rowKey: string;
	/** Of a row that is about a stage: its notes are shown, too. */
	stage?: string | undefined;
}

/** What reviewers noted about a row and its stage, and the form for one more. */
export function RowNotes({ sessionId, rowKey, stage }: RowNotesProps) {
	const say = useSay();
	const mayAdd = useMayDecide();
	const [isOpen, setOpen] = useState(false);
	const ask = useCallback(() => callRoute('GET /api/sessions/:id/notes', { params: { id: sessionId } }), [sessionId]);
	const { data, reload } = useAnswer(ask);
	useShortcut('note', () => mayAdd && setOpen(true));
	const mine = (data?.notes ?? []).filter(
		(note) => note.row === rowKey || (stage !== undefined && note.stage === stage),
	);
	if (mine.length === 0 && !mayAdd) return null;
	return (
		<section aria-label={say('Notes')} className="flex flex-col gap-2 border-line border-t pt-2">
			{mine.map((note) => (
				<OneNote key={note.id} note={note} />
			))}
			{isOpen ? (
				<NoteForm
					sessionId={sessionId}
					rowKey={rowKey}
					onDone={() => {
						setOpen(false);
						reload();
					}}
					onCancel={() => setOpen(false)}
				/>
			) : (
				mayAdd && (
					<Button size="small" className="self-start" aria-keyshortcuts="m" onClick={() => setOpen(true)}>
						{say('Add a note')}
					</Button>
				)
			)}
		</section>
	);
}

function OneNote({ note: { at, by, text, labels, stage } }: { note: Note }) {
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

interface NoteFormProps {
	sessionId: string;
	rowKey: string;
	onDone: () => void;
	onCancel: () => void;
}

function NoteForm({ sessionId, rowKey, onDone, onCancel }: NoteFormProps) {
	const say = useSay();
	const [text, setText] = useState('');
	const [labels, setLabels] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const names = labels.split(/[\s,#]+/u).filter(Boolean);

	async function add(event: FormEvent) {
		event.preventDefault();
		if (isBusy || (text.trim() === '' && names.length === 0)) return;
		setBusy(true);
		const body = { row: rowKey, text, labels: names };
		const answer = await callRoute('POST /api/sessions/:id/notes', { params: { id: sessionId }, body });
		setBusy(false);
		if (answer.ok) onDone();
		else setRefusal(answer.message);
	}

	return (
		<form aria-label={say('Add a note')} onSubmit={(event) => void add(event)} className="flex flex-col gap-2">
			<textarea
				// biome-ignore lint/a11y/noAutofocus: a form that a person opens takes the focus.
				autoFocus
				aria-label={say('Note')}
				value={text}
				maxLength={MOST_TEXT}
				rows={3}
				onChange={(event) => setText(event.target.value)}
				className="rounded border border-edge bg-surface p-2"
			/>
			<input
				aria-label={say('Labels')}
				placeholder={say('Labels')}
				value={labels}
				onChange={(event) => setLabels(event.target.value)}
				className="h-7 rounded border border-edge bg-surface px-2 placeholder:text-muted"
			/>
			{refusal && (
				<p role="alert" className="text-warn">
					{say.known(refusal)}
				</p>
			)}
			<div className="flex gap-2">
				<Button type="submit" kind="primary" disabled={isBusy}>
					{say('Add')}
				</Button>
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}
