import type { FileEdit, Replacement } from './tool-call.ts';

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const MOST_FILES = 200;

/** The files that a patch in the `*** Begin Patch` form changes, with what becomes of each. Total: what is no patch changes none. */
export function readPatch(text: string): FileEdit[] {
	const files: { path: string; how: string; lines: string[] }[] = [];
	for (const line of text.split(/\r?\n/)) {
		if (line.startsWith('*** End Patch')) break;
		const [, how, path] = FILE.exec(line) ?? [];
		const last = files.at(-1);
		const to = MOVE.exec(line)?.[1];
		if (how !== undefined && path !== undefined) {
			if (files.length === MOST_FILES) break;
			files.push({ path: path.trim(), how, lines: [] });
		} else if (to !== undefined && last) files.push({ ...last, path: to.trim(), lines: last.lines });
		else if (!line.startsWith('*** ')) last?.lines.push(line);
	}
	return files.map(({ path, how, lines }): FileEdit => {
		if (how === 'Add') return { path, text: `${lines.map((line) => line.replace(/^\+/, '')).join('\n')}\n` };
		return { path, edits: how === 'Update' ? hunksOf(lines) : [] };
	});
}

/** What each hunk looks for, and what it puts there. */
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
