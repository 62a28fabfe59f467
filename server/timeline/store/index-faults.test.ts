import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { createTail } from '../tail/tail.ts';
import { openHealingIndex } from './healing-index.ts';
import { SqliteError, Statement } from './open-database.ts';

afterEach(() => {
	vi.restoreAllMocks();
});

/** What SQLite says where the system said ENOSPC, EIO or EROFS. */
const FAULTS = [
	['ENOSPC', 'SQLITE_FULL', 'database or disk is full'],
	['EIO', 'SQLITE_IOERR', 'disk I/O error'],
	['EROFS', 'SQLITE_READONLY', 'attempt to write a readonly database'],
] as const;

test.each(FAULTS)(
	'R2370 %s: the index that the disk refuses is kept, the session is read again, and no event is missing',
	async (_name, code, message) => {
		const rig = createTimelineRig();
		const logged: string[] = [];
		const log = createLog((line) => logged.push(line));
		const index = openHealingIndex(join(rig.home, 'index.db'), { warn: (words) => log.warn(words) });
		const damage: string[] = [];
		index.onDamage((reason) => damage.push(reason));
		const tail = createTail({ home: rig.home, index, journal: { find: () => undefined }, log });
		await tail.start();
		const { epoch } = index;
		rig.append('s1', asLine(samplePrompt('s1', 1)));
		await tail.whenRead();
		const refused = vi.spyOn(Statement.prototype, 'run').mockImplementation(() => {
			throw new SqliteError(message, code);
		});
		for (const n of [2, 3]) rig.append('s1', asLine(samplePrompt('s1', n)));
		await vi.waitFor(() => expect(logged.join('')).toContain('a session could not be read'));
		expect(index.events('s1', { after: 0, limit: 10 })).toHaveLength(1);
		expect(refused).toHaveBeenCalled();
		refused.mockRestore();
		await vi.waitFor(() => expect(index.events('s1', { after: 0, limit: 10 })).toHaveLength(3), 10_000);
		expect(tail.viewOf('s1')?.seq).toBe(3);
		expect([index.epoch, damage]).toEqual([epoch, []]);
		await tail.stop();
		index.close();
	},
);
