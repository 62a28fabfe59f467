import type { IndexedEvent } from '#lib/session/view.ts';
import { MAX_LINE_BYTES } from '../../timeline/tail/timeline-file.ts';
import type { KeptLines } from '../features/kept-events.ts';

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Gives the events of one timeline as its bytes come, so that no more of it is in memory than a line; false from `add`
 * ends the reading. A last line without its newline waits for its end. Rejects with what the source rejects with.
 */
export async function streamEvents(
	chunks: AsyncIterable<Buffer>,
	lines: KeptLines,
	add: (event: IndexedEvent) => boolean,
): Promise<void> {
	let from = 0;
	let rest: Buffer = NOTHING;
	/** Bytes of a line that is too long, which are not kept. */
	let skipped = 0;
	lines.nextFile();
	for await (const chunk of chunks) {
		const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
		let start = 0;
		for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
			const line = bytes.subarray(start, end);
			const length = skipped + line.length;
			const event = lines.read(line, from, length);
			if (event && !add(event)) return;
			from += length + 1;
			start = end + 1;
			skipped = 0;
		}
		rest = bytes.subarray(start);
		if (skipped + rest.length <= MAX_LINE_BYTES) continue;
		skipped += rest.length;
		rest = NOTHING;
	}
}
