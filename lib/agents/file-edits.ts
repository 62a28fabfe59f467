import type { EventOf } from '../contract/events/event.ts';
import { isJson, type Json, textOf } from '../json/json.ts';
import { callKind } from './recorded-event.ts';
import type { FileEdit, Replacement } from './tool-call.ts';

/** Clients' names of the same field in a call that edits a file; the first that holds a text counts. */
export const editFields = {
	path: ['file_path', 'notebook_path', 'filePath', 'path'],
	text: ['content', 'contents', 'file_text', 'new_source'],
	from: ['old_string', 'oldString', 'old_str', 'oldText'],
	to: ['new_string', 'newString', 'new_str', 'newText'],
	/** A text in the `*** Begin Patch` form, if it is not the whole input. */
	patch: ['command', 'patchText', 'patch', 'input'],
} as const;

export interface CallEdit {
	path: string;
	pieces: readonly { from: string; to: string }[];
	isCut: boolean;
}

/** The file edits of a recorded call, of any client. */
export function editsOfCall({ tool, does, input }: Pick<EventOf<'tool:call'>, 'tool' | 'does' | 'input'>): CallEdit[] {
	if (callKind({ tool, does }) !== 'edit-file') return [];
	const fields = isJson(input) ? input : {};
	const path = textOf(firstOf(fields, editFields.path), 4096);
	if (path !== undefined) return [fileEdit(path, fields)];
	const patch = typeof input === 'string' ? input : firstOf(fields, editFields.patch);
	return readPatch(typeof patch === 'string' ? patch : '').flatMap(({ path: file, text, edits = [] }) =>
		file === null ? [] : [{ path: file, pieces: text === undefined ? edits : [{ from: '', to: text }], isCut: false }],
	);
}

function fileEdit(path: string, fields: Json): CallEdit {
	const given = Array.isArray(fields.edits) ? fields.edits.filter(isJson) : [fields];
	const texts = given.map((one) => ({
		from: firstOf(one, editFields.from) ?? '',
		to: firstOf(one, editFields.to) ?? firstOf(one, editFields.text) ?? '',
	}));
	const isText = (value: unknown) => typeof value === 'string';
	return {
		path,
		pieces: texts.flatMap(({ from, to }) =>
			isText(from) && isText(to) ? [{ from, to } as CallEdit['pieces'][number]] : [],
		),
		isCut: texts.some(({ from, to }) => !isText(from) || !isText(to)),
	};
}

const firstOf = (fields: Json, names: readonly string[]): unknown =>
	names.map((name) => fields[name]).find((value) => value !== undefined);

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const MAX_FILES = 200;

/** The files that a `*** Begin Patch` text changes. Never throws: other text changes none. */
export function readPatch(text: string): FileEdit[] {
	const files: { path: string; how: string; lines: string[] }[] = [];
	for (const line of text.split(/\r?\n/)) {
		if (line.startsWith('*** End Patch')) break;
		const [, how, path] = FILE.exec(line) ?? [];
		const last = files.at(-1);
		const to = MOVE.exec(line)?.[1];
		if (how !== undefined && path !== undefined) {
			if (files.length === MAX_FILES) break;
			files.push({ path: path.trim(), how, lines: [] });
		} else if (to !== undefined && last) files.push({ ...last, path: to.trim(), lines: last.lines });
		else if (!line.startsWith('*** ')) last?.lines.push(line);
	}
	return files.map(({ path, how, lines }): FileEdit => {
		if (how === 'Add') return { path, text: `${lines.map((line) => line.replace(/^\+/, '')).join('\n')}\n` };
		return { path, edits: how === 'Update' ? hunksOf(lines) : [] };
	});
}

function hunksOf(lines: readonly string[]): Replacement[] {
	const hunks: string[][] = [[]];
	for (const line of lines) {
		if (line.startsWith('@@')) hunks.push([]);
		else hunks.at(-1)?.push(line);
	}
	return hunks.flatMap((hunk) => {
		const side = (mark: string) =>
			hunk.filter((line) => line[0] === ' ' || line[0] === mark).map((line) => line.slice(1));
		const from = side('-').join('\n');
		return from === '' ? [] : [{ from, to: side('+').join('\n'), all: false }];
	});
}
