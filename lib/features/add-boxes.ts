import { printable } from '../text/printable.ts';
import { parseTasks } from './tasks-file.ts';

/** Longest text of a box that is added. */
const LONGEST_LABEL = 300;

/** A tasks.md with more boxes, and those that were really added. */
export interface AddedBoxes {
	text: string;
	added: string[];
}

/**
 * Adds open boxes after the last one of the tasks, or under a new "## Tasks" where there is none. What stands there
 * already under the same words is not added again. Every other byte stays, and so does the kind of line breaks.
 */
export function addBoxes(text: string, labels: readonly string[]): AddedBoxes {
	const { boxes } = parseTasks(text);
	const known = new Set(boxes.map((box) => box.text));
	const added: string[] = [];
	for (const label of labels.map((one) => printable(one, LONGEST_LABEL))) {
		if (label === '' || known.has(label)) continue;
		known.add(label);
		added.push(label);
	}
	if (added.length === 0) return { text, added };
	const line = text.includes('\r\n') ? '\r\n' : '\n';
	const lines = added.map((label) => `- [ ] ${label}${line}`).join('');
	const last = boxes.at(-1);
	if (last) {
		const end = text.indexOf('\n', last.mark);
		return end === -1
			? { text: `${text}${line}${lines}`, added }
			: { text: `${text.slice(0, end + 1)}${lines}${text.slice(end + 1)}`, added };
	}
	const head = /^##[ \t]+Tasks[ \t]*\r?$/m.exec(text);
	if (head) {
		const at = head.index + head[0].replace(/\r$/, '').length;
		return { text: `${text.slice(0, at)}${line}${line}${lines.slice(0, -line.length)}${text.slice(at)}`, added };
	}
	const gap = text === '' ? '' : text.endsWith('\n') ? line : `${line}${line}`;
	return { text: `${text}${gap}## Tasks${line}${line}${lines}`, added };
}
