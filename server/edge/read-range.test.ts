import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';
import { readFileRange } from './push-session.ts';

test('a timeline of many short lines goes out in ranges that a hub takes', () => {
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-range-'));
	const path = join(folder, 'timeline.jsonl');
	writeFileSync(path, `${'a\n'.repeat(2 * MAX_RANGE_LINES + 1)}torn`);
	const fd = openSync(path, 'r');
	const ends: number[] = [];
	for (let range = readFileRange(fd, 0); range; range = readFileRange(fd, range.to)) ends.push(range.to);
	expect(ends).toEqual([2 * MAX_RANGE_LINES, 4 * MAX_RANGE_LINES, 4 * MAX_RANGE_LINES + 2]);
	rmSync(folder, { recursive: true });
});
