import type { EventOf } from '../contract/events/event.ts';
import { isJson, type Json, textOf } from '../json/json.ts';
import { editFields } from './edit-fields.ts';
import { readPatch } from './read-patch.ts';
import { callKind } from './recorded-event.ts';

/** What a call writes into a file, as its input says it. */
export interface ToldEdit {
	path: string;
	/** Each piece that it replaces; a whole file replaces nothing that is known. */
	pieces: readonly { from: string; to: string }[];
	/** Parts of it lie in blobs and are not here. */
	isCut: boolean;
}

/** The edits of files that a told call is, by whichever make; none for any other call, and where it names no file. */
export function editsOfCall({ tool, does, input }: Pick<EventOf<'tool:call'>, 'tool' | 'does' | 'input'>): ToldEdit[] {
	if (callKind({ tool, does }) !== 'edit-file') return [];
	const fields = isJson(input) ? input : {};
	const path = textOf(firstOf(fields, editFields.path), 4096);
	if (path !== undefined) return [fileEdit(path, fields)];
	const patch = typeof input === 'string' ? input : firstOf(fields, editFields.patch);
	return readPatch(typeof patch === 'string' ? patch : '').flatMap(({ path: file, text, edits = [] }) =>
		file === null ? [] : [{ path: file, pieces: text === undefined ? edits : [{ from: '', to: text }], isCut: false }],
	);
}

function fileEdit(path: string, fields: Json): ToldEdit {
	const given = Array.isArray(fields.edits) ? fields.edits.filter(isJson) : [fields];
	const texts = given.map((one) => ({
		from: firstOf(one, editFields.from) ?? '',
		to: firstOf(one, editFields.to) ?? firstOf(one, editFields.text) ?? '',
	}));
	const isText = (value: unknown) => typeof value === 'string';
	return {
		path,
		pieces: texts.flatMap(({ from, to }) =>
			isText(from) && isText(to) ? [{ from, to } as ToldEdit['pieces'][number]] : [],
		),
		isCut: texts.some(({ from, to }) => !isText(from) || !isText(to)),
	};
}

const firstOf = (fields: Json, names: readonly string[]): unknown =>
	names.map((name) => fields[name]).find((value) => value !== undefined);
