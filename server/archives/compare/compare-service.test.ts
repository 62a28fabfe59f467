import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#lib/contract/errors.ts';
import { stageLines, writeStory } from '../../testing/story.ts';
import { createCompareService, readRun } from './compare-service.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-compare-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('runs are read one after another for all readers, and again only once they have changed; a failure delays no other', async () => {
	const start = Date.UTC(2026, 0, 1);
	const [dev, end] = [stageLines('DEV', 'developer', 'pass'), { type: 'session:end' }];
	for (const id of ['one', 'two', 'three']) writeStory(home, id, start, [...dev, end]);
	const read: string[] = [];
	let [open, most] = [0, 0];
	let isBroken = true;
	const service = createCompareService({
		...{ home, proofOf: () => ({ kind: 'unknown' as const, redacted: [] }), now: () => start },
		readOne: async (source, ports) => {
			open += 1;
			most = Math.max(most, open);
			read.push(source.id);
			try {
				if (source.id === 'three' && isBroken) throw new AppError('archive/damaged');
				return await readRun(source, ports);
			} finally {
				open -= 1;
			}
		},
	});
	const jobs = [service.compare('one', 'two'), service.compare('two', 'one'), service.compare('three', 'one')];
	const [there, back, broken] = await Promise.allSettled(jobs);
	expect([there?.status, back?.status, broken?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
	expect([read, most]).toEqual([['one', 'two', 'three'], 1]);
	isBroken = false;
	expect((await service.compare('one', 'three')).isSame).toBe(true);
	rmSync(join(home, 'sessions/two'), { recursive: true });
	writeStory(home, 'two', start, [...dev, ...stageLines('TEST', 'tester', 'pass'), end]);
	expect((await service.compare('one', 'two')).divergence?.explanation).toBe('TEST ran in the second run only.');
	expect(read).toEqual(['one', 'two', 'three', 'three', 'two']);
});
