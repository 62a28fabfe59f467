import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendBytes } from '#hooks-bridge/disk/timeline-files.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { toldEvents } from '#hooks-bridge/testing/recorded-events.ts';
import type { Unwritten } from './kept-lines.ts';
import { createTurnTimelines } from './turn-timelines.ts';

const event = (id: string, more: object = {}): SealedEvent => ({
	...{ id, ts: '2026-01-01T00:00:00.000Z', type: 'tool:call', category: 'tool', label: '', sessionId: 's1' },
	...more,
});

/** Timelines over a disk that can be filled. */
function timelinesOn(mostKept?: number) {
	const home = mkdtempSync(join(tmpdir(), 'kept-lines-'));
	const disk = { isFull: false };
	const told: Unwritten[] = [];
	const timelines = createTurnTimelines(home, {
		onUnwritten: (unwritten) => told.push(unwritten),
		write(fd, bytes) {
			if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
			appendBytes(fd, bytes);
		},
		...(mostKept !== undefined && { mostKept }),
	});
	const idsIn = () => toldEvents(home).map(({ id }) => id);
	return { home, disk, told, timelines, idsIn };
}

test('R2370 lines that a full disk does not take fail, wait in order, and are written before the next ones', () => {
	const { disk, told, timelines, idsIn } = timelinesOn();
	timelines.append('s1', [event('a')]);
	disk.isFull = true;
	for (const id of ['b', 'c', 'b']) expect(() => timelines.append('s1', [event(id)])).toThrow('no space');
	const ends = timelines.together(
		[() => timelines.appendLater?.('s1', [event('d')])],
		(_done, error) => error as never,
	);
	expect(String(ends[0])).toContain('no space');
	expect(told.at(-1)).toEqual({ kept: 3, lost: 0, why: 'ENOSPC' });
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	disk.isFull = false;
	timelines.append('s1', [event('e')]);
	expect(idsIn()).toEqual(['a', 'b', 'c', 'd', 'e']);
	expect(told.at(-1)).toEqual({ kept: 0, lost: 0, why: undefined });
	timelines.close();
});

test('R2371 a disk with room again is noticed without a hook; a new session waits, too', () => {
	const { disk, timelines, idsIn } = timelinesOn();
	disk.isFull = true;
	expect(() => timelines.append('s1', [event('a')])).toThrow();
	disk.isFull = false;
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	timelines.close();
});

test('R2372 what memory does not hold either is counted, and told in the timeline of its session', () => {
	const { home, disk, told, timelines } = timelinesOn(1000);
	disk.isFull = true;
	for (let n = 0; n < 20; n += 1) expect(() => timelines.append('s1', [event(`e${n}`)])).toThrow();
	const { kept, lost } = told.at(-1) ?? { kept: 0, lost: 0 };
	expect(kept).toBeGreaterThan(0);
	expect(kept + lost).toBe(20);
	disk.isFull = false;
	timelines.retry();
	const written = toldEvents(home);
	expect(written).toHaveLength(kept + 1);
	expect(written.at(-1)).toMatchObject({ type: 'system:warning', code: 'disk/full' });
	expect(String(written.at(-1)?.message)).toContain(`${lost} events of this session are lost`);
	timelines.close();
});

test('R2370 that a hook could not be handled is not written once its own lines are', () => {
	const { disk, timelines, idsIn } = timelinesOn();
	disk.isFull = true;
	expect(() => timelines.append('s1', [event('a')])).toThrow();
	expect(() => timelines.append('s1', [event('w', { type: 'system:warning', code: 'hook/failed' })])).toThrow();
	disk.isFull = false;
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	timelines.close();
});
