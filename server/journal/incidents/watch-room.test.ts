import { expect, test } from 'vitest';
import { inEnglish } from '#lib/messages/sentence.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { diskRoom } from '../../process/disk-room.ts';
import type { IncidentDraft } from './incident-log.ts';
import { createRoomCheck } from './watch.ts';

const MEGABYTE = 1024 * 1024;

test('R2373 an incident is open while the home’s disk is nearly full, and ends when there is space again', () => {
	const raised: IncidentDraft[] = [];
	const cleared: string[] = [];
	let free = 400 * MEGABYTE;
	const look = createRoomCheck(
		'/home/x',
		{ raise: (draft) => void raised.push(draft), clear: (code) => void cleared.push(code) },
		() => ({ free, total: 100_000 * MEGABYTE, isLow: free < 500 * MEGABYTE }),
	);
	look();
	expect(raised).toMatchObject([{ code: 'disk/full', about: '/home/x', isOpen: true }]);
	expect(inEnglish(raised[0]?.fix ?? '')).toContain(byteSize(free));
	free = 600 * MEGABYTE;
	look();
	expect([raised.length, cleared]).toEqual([1, ['disk/full']]);
});

test('R2373 the free space of a real disk is reported, and that of a missing path is unknown', () => {
	const room = diskRoom(import.meta.dirname);
	expect(room?.free).toBeGreaterThan(0);
	expect(room?.total).toBeGreaterThanOrEqual(room?.free ?? 0);
	expect(diskRoom('/nowhere/at/all')).toBeUndefined();
});
