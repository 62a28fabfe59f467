import { printable } from '../text/printable.ts';

export interface TaskBox {
	text: string;
	checked: boolean;
	/** Position of the mark between the brackets, in UTF-16 units. */
	mark: number;
	/** The indentation of its line, in columns; a tab goes to the next multiple of four. */
	indent: number;
}

export interface TasksFile {
	header: Partial<Record<HeaderKey, string>>;
	/** Those of the section "## Tasks" (or the old "## Stages"), else of the whole file. */
	boxes: TaskBox[];
}

interface Fence {
	/** Its line, from 0. */
	index: number;
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

/** Reads a tasks.md. Never throws: a file without header or boxes has none. */
export function parseTasks(text: string): TasksFile {
	return { header: parseHeader(text), boxes: sectionOf(linesOf(text, bodyStart(text))).flatMap(boxOf) };
}

/** Ticks the first open box with exactly this text; null if there is none. Every other byte stays. */
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

/** A box in a code block is an example, not a task. An unclosed code block hides nothing. */
function withoutCode(lines: Line[]): Line[] {
	const kept: Line[] = [];
	const closes = closingFences(lines);
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index];
		const end = closes.get(index);
		if (end !== undefined) index = end;
		else if (line) kept.push(line);
	}
	return kept;
}

/** For each line that opens a code block, the line that closes it. Walked from the end, so that it stays linear. */
function closingFences(lines: readonly Line[]): Map<number, number> {
	const closes = new Map<number, number>();
	const closing = { '`': [] as Fence[], '~': [] as Fence[] };
	for (let index = lines.length - 1; index >= 0; index--) {
		const text = lines[index]?.text ?? '';
		const [, fence] = FENCE.exec(text) ?? [];
		if (!fence) continue;
		const below = fence.startsWith('~') ? closing['~'] : closing['`'];
		const close = below.findLast(({ length }) => length >= fence.length);
		if (close) closes.set(index, close.index);
		if (/^[ \t]*(`+|~+)[ \t]*$/.test(text)) {
			// A shorter fence further down is not reached any more: this one closes first.
			while ((below.at(-1)?.length ?? Number.POSITIVE_INFINITY) <= fence.length) below.pop();
			below.push({ index, length: fence.length });
		}
	}
	return closes;
}

function sectionOf(lines: Line[]): Line[] {
	for (const section of SECTIONS) {
		const head = lines.findIndex((line) => section.test(line.text));
		if (head === -1) continue;
		const end = lines.findIndex((line, index) => index > head && HEADING.test(line.text));
		return lines.slice(head + 1, end === -1 ? undefined : end);
	}
	return lines;
}

function boxOf({ start, text }: Line): TaskBox[] {
	const [, mark, label] = BOX.exec(text) ?? [];
	if (mark === undefined || label === undefined) return [];
	const offset = start + text.indexOf('[') + 1;
	return [{ text: label.trimEnd(), checked: mark !== ' ', mark: offset, indent: indentOf(text) }];
}

function indentOf(text: string): number {
	const blanks = text.slice(0, text.length - text.trimStart().length);
	return [...blanks].reduce((columns, blank) => (blank === '\t' ? columns - (columns % 4) + 4 : columns + 1), 0);
}

const SHOWN = 5;

export interface TaskProgress {
	done: number;
	total: number;
	/** The first five open boxes, cleaned for one line. */
	next: string[];
	/** How many open boxes are not in `next`. */
	more: number;
}

/** Counts boxes and names the first open ones. */
export function taskProgress(boxes: readonly TaskBox[]): TaskProgress {
	const open = boxes.filter((box) => !box.checked);
	return {
		done: boxes.length - open.length,
		total: boxes.length,
		next: open.slice(0, SHOWN).map((box) => printable(box.text)),
		more: Math.max(0, open.length - SHOWN),
	};
}

/** The message about a feature's open tasks; null when it has no boxes or all are ticked. */
export function pendingMessage(feature: string, { done, total, next, more }: TaskProgress): string | null {
	if (next.length === 0) return null;
	return [
		`Feature ${feature}: ${done} of ${total} tasks are done. Still open:`,
		...next.map((text) => `- [ ] ${text}`),
		...(more > 0 ? [`... and ${more} more`] : []),
	].join('\n');
}

/** Longest text of a box that is added. */
const MAX_LABEL = 300;

/** A tasks.md with more boxes, and those that were really added. */
export interface AddedBoxes {
	text: string;
	added: string[];
}

/**
 * Adds open boxes after the last one of the tasks, or under a new "## Tasks" if there is none. A box with the same words is not
 * added again. Every other byte stays, including the kind of line breaks.
 */
export function addBoxes(text: string, labels: readonly string[]): AddedBoxes {
	const { boxes } = parseTasks(text);
	const known = new Set(boxes.map((box) => box.text));
	const added: string[] = [];
	for (const label of labels.map((one) => printable(one, MAX_LABEL))) {
		if (label === '' || known.has(label)) continue;
		known.add(label);
		added.push(label);
	}
	if (added.length === 0) return { text, added };
	const eol = text.includes('\r\n') ? '\r\n' : '\n';
	const newBoxes = added.map((label) => `- [ ] ${label}${eol}`).join('');
	const last = boxes.at(-1);
	if (last) {
		const end = text.indexOf('\n', last.mark);
		return end === -1
			? { text: `${text}${eol}${newBoxes}`, added }
			: { text: `${text.slice(0, end + 1)}${newBoxes}${text.slice(end + 1)}`, added };
	}
	const head = /^##[ \t]+Tasks[ \t]*\r?$/m.exec(text);
	if (head) {
		const end = head.index + head[0].replace(/\r$/, '').length;
		return { text: `${text.slice(0, end)}${eol}${eol}${newBoxes.slice(0, -eol.length)}${text.slice(end)}`, added };
	}
	const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
	return { text: `${text}${gap}## Tasks${eol}${eol}${newBoxes}`, added };
}

/** The initial content of a new tasks.md. */
export interface NewTasks {
	feature: string;
	status: string;
	/** A workflow's key. */
	workflow?: string;
	/** ISO. */
	created: string;
	/** One open box each; repeated ones are written once. */
	tasks: readonly string[];
}

/** The text of a new tasks.md: frontmatter and a "## Tasks" section. */
export function newTasksFile({ feature, status, workflow, created, tasks }: NewTasks): string {
	return [
		'---',
		`feature: ${feature}`,
		`status: ${status}`,
		...(workflow ? [`workflow: ${printable(workflow, 100)}`] : []),
		`created: ${created}`,
		'---',
		'',
		'## Tasks',
		'',
		...[...new Set(tasks.map((task) => printable(task, 500)))].map((task) => `- [ ] ${task}`),
		'',
	].join('\n');
}

/** The keys of a tasks.md's frontmatter. Other keys stay as they are and are not read. */
export const HEADER_KEYS = ['feature', 'status', 'workflow', 'created', 'archivedAt'] as const;
export type HeaderKey = (typeof HEADER_KEYS)[number];

const HEADER = /^\ufeff?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Where the text begins after its frontmatter; 0 if there is none. */
export function bodyStart(text: string): number {
	return HEADER.exec(text)?.[0].length ?? 0;
}

/** The known values of the frontmatter, as text. Of a repeated key the first counts. */
export function parseHeader(text: string): Partial<Record<HeaderKey, string>> {
	const found: Partial<Record<HeaderKey, string>> = {};
	for (const line of text.slice(0, bodyStart(text)).split('\n')) {
		const [, key, value] = /^([A-Za-z]+):(.*)$/.exec(line.trimEnd()) ?? [];
		const known = HEADER_KEYS.find((name) => name === key);
		if (known && value !== undefined) found[known] ??= unquoted(value.trim());
	}
	return found;
}

/** The text with some header values set: a known line is replaced, a new one added last. Every other byte stays. */
export function withHeader(text: string, values: Partial<Record<HeaderKey, string>>): string {
	const eol = /\r\n/.test(text.slice(0, text.indexOf('\n') + 1)) ? '\r\n' : '\n';
	const end = bodyStart(text);
	let header = end > 0 ? text.slice(0, end) : `---${eol}---${eol}${eol}`;
	for (const key of HEADER_KEYS) {
		const value = values[key];
		if (value !== undefined) header = withLine(header, key, value, eol);
	}
	return header + text.slice(end);
}

function withLine(header: string, key: HeaderKey, value: string, eol: string): string {
	const line = new RegExp(`^${key}:[^\\r\\n]*`, 'm');
	if (line.test(header)) return header.replace(line, () => `${key}: ${value}`);
	const close = header.lastIndexOf('---');
	return `${header.slice(0, close)}${key}: ${value}${eol}${header.slice(close)}`;
}

function unquoted(value: string): string {
	return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}
