import { type FormEvent, useState } from 'react';
import type { Note } from '#lib/contract/sessions/notes.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import type { NoteTarget } from '#lib/timeline/note-marks.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAction } from '../../live/use-action.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

const MOST_TEXT = 2000;

interface NoteFormProps {
	sessionId: string;
	place: NoteTarget;
	onDone: () => void;
	onCancel: () => void;
}

/** The form for one more note: what is said, and labels as short words. */
export function NoteForm({ sessionId, place, onDone, onCancel }: NoteFormProps) {
	const say = useSay();
	const [text, setText] = useState('');
	const [labels, setLabels] = useState('');
	const { isBusy, refusal, run } = useAction();
	const names = labels.split(/[\s,#]+/u).filter(Boolean);

	async function add(event: FormEvent) {
		event.preventDefault();
		if (isBusy || (text.trim() === '' && names.length === 0)) return;
		const body = { ...place, text, labels: names };
		const answer = await run(callRoute('POST /api/sessions/:id/notes', { params: { id: sessionId }, body }));
		if (answer.ok) onDone();
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
			<Alert>{refusal}</Alert>
			<div className="flex gap-2">
				<Button type="submit" kind="primary" disabled={isBusy}>
					{say('Add')}
				</Button>
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}

/** One note with its author, its time, and what it is about where that is no row. */
export function OneNote({ note: { at, by, text, labels, stage, from, to } }: { note: Note }) {
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
