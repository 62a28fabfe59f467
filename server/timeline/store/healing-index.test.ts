import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createIncidentLog } from '../../journal/incidents/incident-log.ts';
import { watchIndex } from '../../journal/incidents/open-incidents.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { createTail } from '../tail/tail.ts';
import { openHealingIndex } from './healing-index.ts';
import { openDatabase } from './open-database.ts';

const PAGE = 4096;
const SESSIONS = ['s1', 's2', 's3'];
const EVENTS = 60;

afterEach(() => {
	vi.useRealTimers();
});

/** A home with three sessions and a whole index of them. */
async function indexedHome() {
	const rig = createTimelineRig();
	for (const sessionId of SESSIONS) {
		for (let n = 1; n <= EVENTS; n += 1) {
			rig.append(sessionId, asLine(samplePrompt(sessionId, n, { prompt: `${n} ${'x'.repeat(300)}` })));
		}
	}
	const run = await rig.start();
	await run.tail.whenRead();
	await run.stop();
	return { ...rig, path: join(rig.home, 'index.db') };
}

/** The server's parts around the index. */
async function start({ home, path }: { home: string; path: string }) {
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	const index = openHealingIndex(path, { warn: (message) => log.warn(message) });
	const tail = createTail({ home, index, journal: { find: () => undefined }, log });
	const incidents = createIncidentLog({
		ports: { append: () => undefined, digest: (text) => text, now: Date.now },
		log,
	});
	const over = new Promise<void>((resolve) => {
		incidents.onChange(([first]) => first?.until && resolve());
	});
	watchIndex({ path, index, tail, incidents });
	await tail.start();
	return {
		index,
		tail,
		incidents,
		logged,
		over,
		counts: () => SESSIONS.map((id) => index.events(id, { after: 0, limit: 1000 }).length),
		async stop() {
			await tail.stop();
			index.close();
		},
	};
}

function spoil(path: string, page: number, bytes: Buffer) {
	const file = openSync(path, 'r+');
	writeSync(file, bytes, 0, bytes.length, page * PAGE);
	closeSync(file);
}

test('R1183 whichever page of the index is damaged, its first reader has it built again, and every session is whole again', async () => {
	const home = await indexedHome();
	const pages = statSync(home.path).size / PAGE;
	let found = 0;
	let events = EVENTS;
	for (let page = 0; page < pages; page += 1 + Math.floor(pages / 12)) {
		const run = await start(home);
		run.index.close();
		await run.tail.stop();
		spoil(home.path, page, Buffer.alloc(PAGE, page % 2 === 0 ? 0 : 0xa5));
		const damaged = await start(home);
		// A new line of each session, and everything that is read of it.
		const ids = SESSIONS.map((id) => [id, samplePrompt(id, events + 1)] as const);
		for (const [id, line] of ids) home.append(id, asLine(line));
		events += 1;
		await damaged.tail.whenRead();
		for (const id of SESSIONS) damaged.index.rows(id, { limit: 1000 });
		damaged.counts();
		const [incident] = damaged.incidents.list();
		if (incident) {
			found += 1;
			await damaged.over;
		}
		await damaged.tail.whenRead();
		expect([page, ...damaged.counts()]).toEqual([page, ...SESSIONS.map(() => events)]);
		expect(SESSIONS.map((id) => damaged.tail.viewOf(id)?.seq)).toEqual(SESSIONS.map(() => events));
		await damaged.stop();
	}
	expect(found).toBeGreaterThan(0);
});

test('R1183 while it is built again an incident is open; the damage is in the log, and nothing is asked of the old file', async () => {
	const home = await indexedHome();
	const file = openDatabase(home.path);
	const page = file.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'rows'").pluck().get() as number;
	file.close();
	spoil(home.path, page - 1, Buffer.alloc(PAGE, 0x5a));
	const run = await start(home);
	const { epoch } = run.index;
	expect(run.incidents.list()).toEqual([]);
	expect(run.index.rows('s2', { limit: 10 })).toEqual([]);
	expect(run.incidents.list()).toMatchObject([{ code: 'index/damaged', about: home.path, until: null }]);
	expect(run.logged.join('')).toContain('is damaged (SqliteError: database disk image is malformed)');
	expect(() => run.index.forget('s1')).toThrow('it is rebuilt');
	await run.over;
	expect(run.index.epoch).not.toBe(epoch);
	expect(run.tail.building()).toBeNull();
	expect(run.counts()).toEqual(SESSIONS.map(() => EVENTS));
	await run.stop();
});

test('R1183 a disk that spoils every index has one built a minute', async () => {
	const home = await indexedHome();
	const run = await start(home);
	const rebuilt: number[] = [];
	run.index.onRebuilt(() => rebuilt.push(performance.now()));
	const damage = () => {
		const other = openDatabase(home.path);
		other.exec('DROP TABLE rows');
		other.close();
		expect(run.index.rows('s1', { limit: 1 })).toEqual([]);
	};
	damage();
	await run.over;
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	damage();
	vi.advanceTimersByTime(50_000);
	expect(rebuilt).toHaveLength(1);
	vi.advanceTimersByTime(10_000);
	expect(rebuilt).toHaveLength(2);
	vi.useRealTimers();
	await run.tail.whenRead();
	expect(run.counts()).toEqual(SESSIONS.map(() => EVENTS));
	await run.stop();
});
