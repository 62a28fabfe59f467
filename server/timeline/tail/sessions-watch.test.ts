import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../process/log.ts';
import type { Cursor } from '../store/index-store.ts';
import { createSessionsWatch } from './sessions-watch.ts';
import { statTimeline, timelinePath } from './timeline-file.ts';

/** No poll comes by itself: each report comes from a watch, or was asked for. */
const NEVER_MS = 100_000_000;

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** A watch over timelines that were last written an hour ago, or now if their name says `busy`. */
async function watchOf(...sessions: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'sessions-watch-'));
	ends.push(() => rmSync(folder, { recursive: true }));
	const write = (sessionId: string) => {
		const file = timelinePath(folder, sessionId);
		mkdirSync(join(folder, sessionId), { recursive: true });
		writeFileSync(file, 'line\n');
		const at = sessionId.startsWith('busy') ? Date.now() / 1000 : Date.now() / 1000 - 3600;
		utimesSync(file, at, at);
		return file;
	};
	for (const sessionId of sessions) write(sessionId);
	const looks: string[] = [];
	const changed: string[] = [];
	const gone: string[] = [];
	const cursors = new Map<string, Cursor>();
	const own = new Set<string>();
	const watch = createSessionsWatch({
		sessionsFolder: folder,
		cursors,
		isOwn: (sessionId) => own.has(sessionId),
		changed: (sessionId) => changed.push(sessionId),
		gone(sessionId) {
			gone.push(sessionId);
			cursors.delete(sessionId);
		},
		warnOnce: () => undefined,
		log: createLog(() => undefined),
		pollMs: NEVER_MS,
		stat(sessionsFolder, sessionId) {
			looks.push(sessionId);
			return statTimeline(sessionsFolder, sessionId);
		},
	});
	ends.push(() => watch.stop());
	await watch.start();
	for (const sessionId of sessions) {
		const { ino, dev } = statSync(timelinePath(folder, sessionId));
		cursors.set(sessionId, { sessionId, inode: ino, device: dev, offset: 5, tailDigest: '' });
	}
	for (const list of [looks, changed]) list.length = 0;
	return { folder, watch, own, write, looks, changed, gone };
}

test('ten polls look ten times at a timeline that is being written, and once at each quiet one', async () => {
	const quiet = Array.from({ length: 300 }, (_, n) => `quiet-${n}`);
	const { watch, looks } = await watchOf(...quiet, 'busy');
	for (let n = 0; n < 10; n += 1) await watch.poll();
	expect(looks.filter((sessionId) => sessionId === 'busy')).toHaveLength(10);
	expect(looks.filter((sessionId) => sessionId !== 'busy').sort()).toEqual(quiet.sort());
});

test('a new session, one that is gone and one that could not be read are seen in the next poll', async () => {
	const { folder, watch, write, changed, gone } = await watchOf('one', 'two', 'three');
	write('four');
	rmSync(join(folder, 'one'), { recursive: true });
	watch.recheck('two');
	await watch.poll();
	expect([changed.toSorted(), gone]).toEqual([['four', 'two'], ['one']]);
});

test('what another program does to a quiet timeline is noticed without a poll', async () => {
	const { folder, changed, gone } = await watchOf('grows', 'replaced', 'removed');
	appendFileSync(timelinePath(folder, 'grows'), 'more\n');
	await vi.waitFor(() => expect(changed).toContain('grows'));
	writeFileSync(join(folder, 'other'), 'another\n');
	renameSync(join(folder, 'other'), timelinePath(folder, 'replaced'));
	await vi.waitFor(() => expect([changed, gone].map((list) => list.includes('replaced'))).toEqual([true, true]));
	rmSync(timelinePath(folder, 'removed'));
	await vi.waitFor(() => expect(gone).toContain('removed'));
});

test('a folder that is put in the place of another is watched in its stead', async () => {
	const { folder, write, changed } = await watchOf('one');
	renameSync(join(folder, 'one'), join(folder, 'away'));
	write('one');
	await vi.waitFor(() => expect(changed).toContain('one'));
	changed.length = 0;
	appendFileSync(timelinePath(folder, 'one'), 'more\n');
	await vi.waitFor(() => expect(changed).toContain('one'));
});

test('what this process appends is looked at for no notice; other files of a session neither', async () => {
	const { folder, watch, looks, own } = await watchOf('own', 'other');
	own.add('own');
	watch.unwatch('own');
	appendFileSync(timelinePath(folder, 'own'), 'more\n');
	writeFileSync(join(folder, 'other/workflow.json'), '{}');
	// Notices come in the order of what was done.
	appendFileSync(timelinePath(folder, 'other'), 'more\n');
	await vi.waitFor(() => expect(looks).toContain('other'));
	expect(new Set(looks)).toEqual(new Set(['other']));
});
