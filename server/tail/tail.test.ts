import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { openSqliteIndex } from '../store/sqlite-index.ts';
import { createTail, type TailBatch } from './tail.ts';

test('R50 walk', async () => {
	const home = mkdtempSync(join(tmpdir(), 'tail-'));
	const index = openSqliteIndex(join(home, 'index.db'));
	const tail = createTail({ home, index, isJournaled: () => false, log: createLog(() => {}) });
	const batches: TailBatch[] = [];
	tail.onBatch((b) => batches.push(b));
	await tail.start();
	mkdirSync(join(home, 'sessions/s1'), { recursive: true });
	const e = {
		id: 'a1',
		ts: '2026-01-01T00:00:00.000Z',
		type: 'prompt:submit',
		category: 'prompt',
		label: 'Prompt',
		sessionId: 's1',
		prompt: 'hi',
		source: 'user',
	};
	appendFileSync(join(home, 'sessions/s1/timeline.jsonl'), `\n${JSON.stringify(e)}\n`);
	tail.poke('s1');
	await tail.settled();
	expect(batches.map((b) => b.events)).toEqual([[{ ...e, seq: 1 }]]);
	expect(index.rows('s1', { limit: 10 })).toHaveLength(1);
	await tail.stop();
	index.close();
});
