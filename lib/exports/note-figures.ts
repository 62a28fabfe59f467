import type { Note } from '../contract/sessions/notes.ts';
import { noteLine } from '../timeline/note-marks.ts';
import type { SessionStory } from './archive-story.ts';
import { rowName } from './row-words.ts';

/** What reviewers noted, as it stands in an export: when, who, about what, and their words. */
export function noteFigures(
	sessions: readonly SessionStory[],
): [at: string, by: string, about: string, words: string][] {
	return sessions.flatMap((session) =>
		session.notes.map((note): [string, string, string, string] => {
			const { at, by } = note;
			return [at.slice(0, 19).replace('T', ' '), by.name ?? by.via, aboutOf(note, session), noteLine(note)];
		}),
	);
}

function aboutOf({ row, stage, from = '', to = '' }: Note, { rows }: SessionStory): string {
	if (stage !== undefined) return `stage ${stage}`;
	if (row === undefined) return `${from.slice(11, 19)} to ${to.slice(11, 19)}`;
	const found = rows.find(({ key }) => key === row);
	return found ? `${found.at.slice(11, 19)} ${rowName(found)} ${found.title}` : row;
}
