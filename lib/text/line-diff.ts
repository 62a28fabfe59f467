import { diffArrays } from 'diff';

export interface DiffLine {
	kind: 'same' | 'added' | 'removed';
	text: string;
}

/** With more changed lines all count as removed and added, since matching is quadratic. */
const MAX_CHANGES = 300;

/** A final line break begins no further line. */
export function linesOf(text: string): string[] {
	if (text === '') return [];
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A final line break is not a line of its own. */
export function diffLines(from: string, to: string): DiffLine[] {
	const [before, after] = [linesOf(from), linesOf(to)];
	const changes = diffArrays(before, after, { maxEditLength: MAX_CHANGES }) ?? [
		{ removed: true, added: false, value: before },
		{ removed: false, added: true, value: after },
	];
	return changes.flatMap(({ added, removed, value }) => {
		const kind = added ? 'added' : removed ? 'removed' : 'same';
		return value.map((text): DiffLine => ({ kind, text }));
	});
}

export function diffSize(lines: readonly DiffLine[]): { added: number; removed: number } {
	const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
	return { added: count('added'), removed: count('removed') };
}
