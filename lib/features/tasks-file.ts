import { bodyStart, type HeaderKey, parseHeader } from './tasks-header.ts';

/** One box of a tasks.md. */
export interface TaskBox {
	text: string;
	checked: boolean;
	/** Where the mark between the brackets stands, in UTF-16 units. */
	mark: number;
	/** How far its line is indented, in columns; a tab goes to the next fourth. */
	indent: number;
}

/** What a tasks.md says. */
export interface TasksFile {
	header: Partial<Record<HeaderKey, string>>;
	/** Of the section "## Tasks" (or the old "## Stages") alone; of the whole file where it has neither. */
	boxes: TaskBox[];
}

interface Fence {
	at: number;
	length: number;
}

interface Line {
	start: number;
	text: string;
}

const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S.*)$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,2}[ \t]/;
const SECTIONS = [/^##[ \t]+Tasks[ \t]*$/, /^##[ \t]+Stages[ \t]*$/];

/** Reads a tasks.md. Total: a file without header or boxes simply has none. */
export function parseTasks(text: string): TasksFile {
	return { header: parseHeader(text), boxes: sectionOf(linesOf(text, bodyStart(text))).flatMap(boxOf) };
}

/**
 * Ticks the first open box with exactly this text; null when there is none. Every other byte stays, so does the
 * kind of line breaks.
 */
export function tickBox(text: string, label: string): string | null {
	const box = parseTasks(text).boxes.find((found) => !found.checked && found.text === label);
	return box ? `${text.slice(0, box.mark)}x${text.slice(box.mark + 1)}` : null;
}

function linesOf(text: string, from: number): Line[] {
	const lines: Line[] = [];
	for (let start = from; start < text.length; ) {
		const end = text.indexOf('\n', start);
		const stop = end === -1 ? text.length : end;
		lines.push({ start, text: text.slice(start, stop).replace(/\r$/, '') });
		start = stop + 1;
	}
	return withoutCode(lines);
}

/** A box in a code block is an example, not a task. A fence that is never closed hides nothing. */
function withoutCode(lines: Line[]): Line[] {
	const kept: Line[] = [];
	const closes = closingFences(lines);
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at];
		const end = closes.get(at);
		if (end !== undefined) at = end;
		else if (line) kept.push(line);
	}
	return kept;
}

/** For each line that opens a code block, the line that closes it. Walked from the end, so that it stays linear. */
function closingFences(lines: readonly Line[]): Map<number, number> {
	const closes = new Map<number, number>();
	const next = { '`': [] as Fence[], '~': [] as Fence[] };
	for (let at = lines.length - 1; at >= 0; at--) {
		const [, fence] = FENCE.exec(lines[at]?.text ?? '') ?? [];
		if (!fence) continue;
		const below = fence.startsWith('~') ? next['~'] : next['`'];
		const close = below.findLast(({ length }) => length >= fence.length);
		if (close) closes.set(at, close.at);
		if (/^[ \t]*(`+|~+)[ \t]*$/.test(lines[at]?.text ?? '')) {
			while ((below.at(-1)?.length ?? Number.POSITIVE_INFINITY) <= fence.length) below.pop();
			below.push({ at, length: fence.length });
		}
	}
	return closes;
}

function sectionOf(lines: Line[]): Line[] {
	for (const section of SECTIONS) {
		const head = lines.findIndex((line) => section.test(line.text));
		if (head === -1) continue;
		const end = lines.findIndex((line, at) => at > head && HEADING.test(line.text));
		return lines.slice(head + 1, end === -1 ? undefined : end);
	}
	return lines;
}

function boxOf({ start, text }: Line): TaskBox[] {
	const [, mark, label] = BOX.exec(text) ?? [];
	if (mark === undefined || label === undefined) return [];
	const place = start + text.indexOf('[') + 1;
	return [{ text: label.trimEnd(), checked: mark !== ' ', mark: place, indent: indentOf(text) }];
}

function indentOf(text: string): number {
	const blanks = text.slice(0, text.length - text.trimStart().length);
	return [...blanks].reduce((columns, blank) => (blank === '\t' ? columns - (columns % 4) + 4 : columns + 1), 0);
}
