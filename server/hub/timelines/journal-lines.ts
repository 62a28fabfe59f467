import * as z from 'zod';
import { JournalLine } from '#lib/contract/hub/hub-wire.ts';

const Lines = z.array(JournalLine).max(1000);

/** The rows of an edge's journal in a frame's body; null where it holds something else. */
export function readJournalLines(body: Buffer): JournalLine[] | null {
	try {
		return Lines.parse(JSON.parse(body.toString('utf8')));
	} catch {
		return null;
	}
}
