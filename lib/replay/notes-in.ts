import { isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import { defined } from '../json/json.ts';
import type { CompleteRecording } from './recording.ts';

/** Reviewers' notes in a timeline; nothing proves here that they wrote them. */
export function notesIn(recording: Pick<CompleteRecording, 'partNumbers' | 'part'>): Note[] {
	return recording.partNumbers().flatMap((n) => recording.part(n).events.flatMap((event) => noteOf(event) ?? []));
}

/** The note in an event; null for other events, and for an incomplete note, as when its text was left out. */
export function noteOf(event: IndexedEvent): Note | null {
	if (!isKnown(event) || event.type !== 'note:add') return null;
	const { id, ts: at, by, row, rowAt, stage, from, to, text, labels } = event;
	const words: readonly unknown[] = [text, by?.via, by?.name ?? '', row ?? '', stage ?? '', ...(labels ?? [null])];
	const times = [rowAt, from, to].filter((time) => time !== undefined);
	if (words.some((word) => typeof word !== 'string') || times.some((time) => Number.isNaN(Date.parse(time))))
		return null;
	return {
		id,
		at,
		by,
		text,
		labels,
		...defined({ row, rowAt, stage }),
		...(from !== undefined && to !== undefined && { from, to }),
	};
}
