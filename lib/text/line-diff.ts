export interface DiffLine {
	kind: 'same' | 'added' | 'removed';
	text: string;
}

/** Beyond so many pairs all lines count as removed and added. */
const MOST_PAIRS = 40_000;

/** A final line break begins no further line. */
export function linesOf(text: string): string[] {
	if (text === '') return [];
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

export function diffLines(from: string, to: string): DiffLine[] {
	const [before, after] = [linesOf(from), linesOf(to)];
	let start = 0;
	while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
	let end = 0;
	const most = Math.min(before.length, after.length) - start;
	while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
	const middle = compare(before.slice(start, before.length - end), after.slice(start, after.length - end));
	const same = (lines: string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
	return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

export function diffSize(lines: readonly DiffLine[]): { added: number; removed: number } {
	const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
	return { added: count('added'), removed: count('removed') };
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
	const removed = before.map((text): DiffLine => ({ kind: 'removed', text }));
	const added = after.map((text): DiffLine => ({ kind: 'added', text }));
	if (before.length === 0 || after.length === 0 || before.length * after.length > MOST_PAIRS) {
		return [...removed, ...added];
	}
	const width = after.length + 1;
	const common = new Uint32Array((before.length + 1) * width);
	const at = (row: number, column: number) => common[row * width + column] ?? 0;
	for (let row = before.length - 1; row >= 0; row--) {
		for (let column = after.length - 1; column >= 0; column--) {
			const isSame = before[row] === after[column];
			common[row * width + column] = isSame
				? at(row + 1, column + 1) + 1
				: Math.max(at(row + 1, column), at(row, column + 1));
		}
	}
	const lines: DiffLine[] = [];
	let [row, column] = [0, 0];
	while (row < before.length && column < after.length) {
		if (before[row] === after[column]) {
			lines.push({ kind: 'same', text: before[row] ?? '' });
			row += 1;
			column += 1;
		} else if (at(row + 1, column) >= at(row, column + 1)) lines.push({ kind: 'removed', text: before[row++] ?? '' });
		else lines.push({ kind: 'added', text: after[column++] ?? '' });
	}
	return [...lines, ...removed.slice(row), ...added.slice(column)];
}
