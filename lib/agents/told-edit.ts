import type { EventOf } from '../contract/event.ts';
import { isJson, textOf } from '../json/json.ts';
import { deedOfTold } from './told-event.ts';

/** What a call writes into a file, as its input says it. */
export interface ToldEdit {
	path: string;
	/** Each piece that it replaces; a whole file replaces nothing that is known. */
	pieces: { from: string; to: string }[];
	/** Parts of it lie in blobs and are not here. */
	isCut: boolean;
}

/** The edit of a file that a told call is; null for any other call, and where it names no file. */
export function editOfTold({
	tool,
	does,
	input,
}: Pick<EventOf<'tool:call'>, 'tool' | 'does' | 'input'>): ToldEdit | null {
	if (deedOfTold({ tool, does }) !== 'edit-file' || !isJson(input)) return null;
	const path = textOf(input.file_path ?? input.notebook_path ?? input.path, 4096);
	if (path === undefined) return null;
	const given = Array.isArray(input.edits) ? input.edits.filter(isJson) : [input];
	const texts = given.map(({ old_string, new_string, new_source, content }) => ({
		from: old_string ?? '',
		to: new_string ?? new_source ?? content ?? '',
	}));
	const isText = (value: unknown) => typeof value === 'string';
	return {
		path,
		pieces: texts.flatMap(({ from, to }) =>
			isText(from) && isText(to) ? [{ from, to } as ToldEdit['pieces'][0]] : [],
		),
		isCut: texts.some(({ from, to }) => !isText(from) || !isText(to)),
	};
}
