import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendDurably } from '#hooks-bridge/disk/write-durably.ts';
import { PlacedHead } from '#lib/contract/health/audit.ts';
import { parsedJson } from '#lib/json/json.ts';

/** What this home remembers of the heads that it has left outside, oldest first; only the places themselves can prove them. */
export function readPlacedHeads(home: string): PlacedHead[] {
	let text: string;
	try {
		text = readFileSync(join(home, 'anchors.jsonl'), 'utf8');
	} catch {
		return [];
	}
	return text.split('\n').flatMap((line) => PlacedHead.safeParse(parsedJson(line)).data ?? []);
}

/** Notes a head that a place has taken. */
export function notePlacedHead(home: string, head: PlacedHead): void {
	appendDurably(join(home, 'anchors.jsonl'), `${JSON.stringify(head)}\n`);
}
