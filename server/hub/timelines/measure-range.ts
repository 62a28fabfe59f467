import { MAX_RANGE_BYTES, MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';

const NEWLINE = 10;
/** Blank lines are read, too, but come to nothing. */
const BLANK_LINES_AN_EVENT = 4;
/** Long lines cost as many short ones do. */
const BYTES_AN_EVENT = 8 * 1024;

/** How many events a range costs at most, or, in words, why no edge sends it. An empty one is a line that is too long. */
export function measureRange(body: Buffer): number | string {
	if (body.length === 0) return 1;
	if (body.at(-1) !== NEWLINE) return 'a range that does not end with a line';
	let newlines = 0;
	let blank = 0;
	for (let end = body.indexOf(NEWLINE), start = 0; end !== -1; start = end + 1, end = body.indexOf(NEWLINE, start)) {
		newlines += 1;
		if (end === start) blank += 1;
		if (newlines > MAX_RANGE_LINES) return `a range of more than ${MAX_RANGE_LINES} lines`;
	}
	if (body.length > MAX_RANGE_BYTES && newlines > 1) return `lines of more than ${MAX_RANGE_BYTES} bytes together`;
	return Math.max(1, newlines - blank, newlines / BLANK_LINES_AN_EVENT, body.length / BYTES_AN_EVENT);
}
