import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendBytes } from '#hooks-bridge/disk/timeline-files.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import { openUnwrittenNote, type Unwritten } from './kept-lines.ts';
import { createTurnTimelines } from './turn-timelines.ts';

const event = (id: string, more: object = {}): SealedEvent => ({
	...{ id, ts: '2026-01-01T00:00:00.000Z', type: 'tool:call', category: 'tool', label: '', sessionId: 's1' },
	...more,
});

/** Timelines over a disk that can be filled. */
function timelinesOn(mostBytes?: number) {
	const home = mkdtempSync(join(tmpdir(), 'kept-lines-'));
	const disk = { isFull: false, code: 'ENOSPC', room: Number.POSITIVE_INFINITY };
	const reports: Unwritten[] = [];
	const timelines = createTurnTimelines(home, {
		onUnwritten: (unwritten) => reports.push(unwritten),
		write(fd, bytes) {
			if (disk.isFull || disk.room < bytes.length) throw Object.assign(new Error('no space'), { code: disk.code });
			disk.room -= bytes.length;
			appendBytes(fd, bytes);
		},
		...(mostBytes !== undefined && { mostBytes }),
	});
	const idsIn = () => recordedEvents(home).map(({ id }) => id);
	return { home, disk, told: reports, timelines, idsIn };
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
	expect(told.at(-1)).toEqual({ waiting: 3, lost: 0, why: 'ENOSPC' });
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	disk.isFull = false;
	timelines.append('s1', [event('e')]);
	expect(idsIn()).toEqual(['a', 'b', 'c', 'd', 'e']);
	expect(told.at(-1)).toEqual({ waiting: 0, lost: 0, why: undefined });
	timelines.close();
});

test('a disk with room again is noticed without a hook; a new session waits, too', () => {
	const { disk, timelines, idsIn } = timelinesOn();
	disk.isFull = true;
	expect(() => timelines.append('s1', [event('a')])).toThrow();
	disk.isFull = false;
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	timelines.close();
});

test('lines that memory does not hold either are counted, and the count is recorded in the timeline of their session', () => {
	const { home, disk, told, timelines } = timelinesOn(1000);
	disk.isFull = true;
	for (let n = 0; n < 20; n += 1) expect(() => timelines.append('s1', [event(`e${n}`)])).toThrow();
	const { waiting, lost } = told.at(-1) ?? { waiting: 0, lost: 0 };
	expect(waiting).toBeGreaterThan(0);
	expect(waiting + lost).toBe(20);
	disk.isFull = false;
	timelines.retry();
	const written = recordedEvents(home);
	expect(written).toHaveLength(waiting + 1);
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

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'EACCES'])(
	'R2370 %s: nothing is lost, and the order holds, however much more comes',
	(code) => {
		const { disk, told, timelines, idsIn } = timelinesOn();
		const ids = Array.from({ length: 300 }, (_, n) => `e${n}`);
		Object.assign(disk, { isFull: true, code });
		for (const id of ids) expect(() => timelines.append('s1', [event(id)])).toThrow('no space');
		expect(told.at(-1)).toEqual({ waiting: 300, lost: 0, why: code });
		// Room for some of them: those are written, and not once more when there is room for the others.
		Object.assign(disk, { isFull: false, room: 25_000 });
		timelines.retry();
		const some = idsIn().length;
		expect(some).toBeGreaterThan(0);
		expect(some).toBeLessThan(300);
		disk.room = Number.POSITIVE_INFINITY;
		timelines.append('s1', [event('after')]);
		expect(idsIn()).toEqual([...ids, 'after']);
		timelines.close();
	},
);

test('R2370 a folder in the place of the timeline is waited for like a full disk, other sessions are not', () => {
	const { home, timelines, idsIn } = timelinesOn();
	const timelineFile = join(home, 'sessions/s1/timeline.jsonl');
	mkdirSync(timelineFile, { recursive: true });
	expect(() => timelines.append('s1', [event('a')])).toThrow();
	timelines.append('s2', [event('b', { sessionId: 's2' })]);
	rmSync(timelineFile, { recursive: true });
	timelines.retry();
	expect(idsIn()).toEqual(['a']);
	timelines.close();
});

test('R2370 waiting lines are found when lines of their session are read', () => {
	const { disk, timelines } = timelinesOn();
	disk.isFull = true;
	expect(() => timelines.append('s1', [event('a', { type: 'routing:mismatch' })])).toThrow();
	expect(timelines.linesWith('s1', '"routing:mismatch"')).toMatchObject([{ id: 'a' }]);
	expect(timelines.hasTimeline('s1')).toBe(true);
	timelines.close();
});

test('memory is bounded for lines, large values and what is known of lost ones, and all that is lost is counted', () => {
	const { home, disk, told, timelines } = timelinesOn(10_000);
	disk.isFull = true;
	for (let n = 0; n < 1200; n += 1) expect(() => timelines.append('s1', [event(`e${n}`)])).toThrow();
	timelines.addBlob('s1', 'x'.repeat(20_000), Object.assign(new Error(''), { code: 'ENOSPC' }));
	const { waiting, lost } = told.at(-1) ?? { waiting: 0, lost: 0 };
	expect(waiting + lost).toBe(1201);
	disk.isFull = false;
	timelines.retry();
	expect(told.at(-1)).toEqual({ waiting: 0, lost, why: undefined });
	expect(String(recordedEvents(home).at(-1)?.message)).toContain(`${lost} events of this session are lost`);
	// The next fault begins to count again.
	disk.isFull = true;
	expect(() => timelines.append('s1', [event('next')])).toThrow();
	expect(told.at(-1)).toMatchObject({ waiting: 1, lost: 0 });
	timelines.close();
});

test('R2630 lines that waited when a server was killed are counted by the next one, and recorded in the home’s timeline', () => {
	const home = mkdtempSync(join(tmpdir(), 'kept-lines-'));
	const killed = openUnwrittenNote(home);
	expect(killed.left).toBe(0);
	killed.set(12);
	const { size } = statSync(join(home, 'unwritten'));
	killed.set(7);
	expect(statSync(join(home, 'unwritten')).size).toBe(size);
	killed.close();
	const next = openUnwrittenNote(home);
	expect(next.left).toBe(7);
	const reports: Unwritten[] = [];
	const timelines = createTurnTimelines(home, { onUnwritten: (unwritten) => reports.push(unwritten) });
	timelines.loseEarlier(next.left);
	timelines.retry();
	expect(reports).toEqual([{ waiting: 0, lost: 7, why: undefined }]);
	expect(recordedEvents(home, '_home')).toMatchObject([
		{ code: 'disk/full', message: expect.stringMatching(/^7 events are lost: they waited in memory/) },
	]);
	next.set(0);
	next.close();
	const last = openUnwrittenNote(home);
	expect(last.left).toBe(0);
	last.close();
	timelines.close();
});
