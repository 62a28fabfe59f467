import type { Chapter, Part } from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import { emptyView } from '../session/fold.ts';
import { buildRecording } from './build-recording.ts';
import { noteOf } from './notes-in.ts';
import { bornIn, type CompleteRecording, foldPart, instantOf } from './recording.ts';

/**
 * Builds a recording in memory; `end` returns it with the final fold. If it becomes too large, `letGo` keeps only the fold, and
 * there is no recording.
 */
export function memoryRecording(sessionId: string) {
	const parts: { part: Part; firstAt: number; endAt: number }[] = [];
	/** By part: the rows that began in it, as they were after each part that changed some. */
	const born = new Map<number, Map<number, Row[]>>();
	const rows = new Map<string, Row>();
	const chapters: Chapter[] = [];
	const notes: Note[] = [];
	let isKept = true;
	const winding = buildRecording(sessionId, {
		addPart(part, endAt, changed) {
			if (!isKept) dropParts();
			const index = parts.length;
			const [first] = part.events;
			parts.push({ part, firstAt: first ? instantOf(first, part.startAt) : endAt, endAt });
			for (const row of changed) {
				rows.set(row.key, row);
				const those = born.get(bornIn(row.seq)) ?? new Map<number, Row[]>();
				born.set(bornIn(row.seq), those.set(index, [...(those.get(index) ?? []), row]));
			}
		},
		findRow: (key) => rows.get(key),
		addChapter: (chapter) => void chapters.push(chapter),
	});

	function dropParts(): void {
		isKept = false;
		for (const kept of [parts, chapters]) kept.length = 0;
		born.clear();
	}

	return {
		add(event: IndexedEvent): void {
			winding.add(event);
			const note = noteOf(event);
			if (note) notes.push(note);
		},
		letGo: dropParts,
		end(): { recording: CompleteRecording | null; view: SessionView; rows: Row[]; notes: Note[] } {
			const outline = winding.end();
			const last = parts.at(-1)?.part;
			const view = last ? foldPart(last, last.after + last.events.length).view : emptyView(sessionId);
			const recording: CompleteRecording = {
				outline,
				events: outline?.events ?? 0,
				part(index) {
					const found = parts[index]?.part;
					if (!found) throw new Error(`the recording has no part ${index}`);
					return found;
				},
				*rowsBorn(when, upTo) {
					for (const [index, those] of born.get(when) ?? []) if (index <= upTo) yield those;
				},
				partAt(instant) {
					const found = parts.findIndex(({ endAt }) => endAt > instant);
					return found === -1 ? Math.max(0, parts.length - 1) : found;
				},
				startOf: (index) => parts[index]?.firstAt ?? null,
				partNumbers: () => parts.map((_, index) => index),
				partNumbersOf: (when) => [...(born.get(when)?.keys() ?? [])],
				chapters(kinds, at, side, limit) {
					const fit = chapters.filter(
						({ kind, at: when }) => kinds.includes(kind) && when <= at === (side === 'before'),
					);
					return side === 'before' ? fit.slice(-limit) : fit.slice(0, limit);
				},
			};
			return {
				recording: isKept ? recording : null,
				view,
				notes,
				rows: [...rows.values()].sort((one, other) => one.seq - other.seq),
			};
		},
	};
}
