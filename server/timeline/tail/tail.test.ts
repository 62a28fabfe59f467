import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactRow } from '../../journal/export-journal.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import type { IndexStore } from '../store/index-store.ts';
import { openSqliteIndex } from '../store/sqlite-index.ts';
import { openSqliteJournal } from '../store/sqlite-journal.ts';
import { createTail } from './tail.ts';

const everyRow = { limit: 1_000_000 };

test('a line appended by this process is indexed and announced once, with the next seq', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	run.tail.noteAppended('s1');
	await run.tail.whenRead();
	rig.append('s1', asLine(samplePrompt('s1', 2)) + asLine(samplePrompt('s1', 3)));
	run.tail.noteAppended('s1');
	run.tail.noteAppended('s1');
	await run.tail.whenRead();
	const events = run.batches.flatMap((batch) => batch.events);
	expect(events).toEqual([1, 2, 3].map((n) => ({ ...samplePrompt('s1', n), seq: n })));
	expect(run.batches).toHaveLength(2);
	expect(run.events('s1')).toEqual(events);
	expect(run.index.rows('s1', everyRow).map((row) => row.seq)).toEqual([1, 2, 3]);
	expect(run.batches.at(-1)?.view).toEqual(run.tail.viewOf('s1'));
	expect(run.tail.views()).toEqual([run.tail.viewOf('s1')]);
	await run.stop();
});

test('lines that are appended densely are announced once each, in their order', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	const lines = 3000;
	const allLinesRead = new Promise<void>((resolve) => {
		run.tail.onBatch(({ view }) => view.seq === lines && resolve());
	});
	for (let n = 1; n <= lines; n += 1) {
		rig.append('s1', asLine(samplePrompt('s1', n)));
		run.tail.noteAppended('s1');
		if (n % 20 === 0) await new Promise(setImmediate);
	}
	await allLinesRead;
	expect(run.batches.flatMap(({ events }) => events.map(({ id }) => id))).toEqual(
		Array.from({ length: lines }, (_, n) => `e${n + 1}`),
	);
	await run.stop();
});

test('a last line without its newline waits for it', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	const whole = JSON.stringify(samplePrompt('s1', 2));
	rig.append('s1', asLine(samplePrompt('s1', 1)) + whole);
	await run.tail.whenRead();
	expect(run.events('s1').map((event) => event.id)).toEqual(['e1']);
	rig.append('s1', '\n');
	await run.tail.whenRead();
	expect(run.events('s1').map((event) => event.id)).toEqual(['e1', 'e2']);
	await run.stop();
});

test('bytes that are not an event become a gap with position and reason, and reading continues', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	const torn = JSON.stringify(samplePrompt('s1', 7)).slice(0, 40);
	const deep = `{"id":"d","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
	const forged = { ...samplePrompt('s1', 8), type: 'system:gap', offset: 0, bytes: 1, reason: 'mine' };
	const bad: [string, RegExp][] = [
		['not json at all', /not JSON/],
		['[1,2]', /not a JSON object/],
		['null', /not a JSON object/],
		['{"id":"x"}', /not an event/],
		[JSON.stringify({ ...samplePrompt('s1', 9), id: '../../etc' }), /not an event/],
		[JSON.stringify({ ...samplePrompt('s1', 9), ts: 'yesterday-ish' }), /not an event/],
		[deep, /nested deeper/],
		[JSON.stringify(forged), /gap that was written/],
		['\u0000\u0001\ufffd', /not JSON/],
		[torn, /not JSON/],
	];
	for (const [n, [line]] of bad.entries()) rig.append('s1', `${asLine(samplePrompt('s1', 100 + n))}${line}`);
	rig.append('s1', asLine(samplePrompt('s1', 999)));
	await run.tail.whenRead();
	const events = run.events('s1');
	expect(events).toHaveLength(bad.length * 2 + 1);
	const gaps = events.filter((event) => event.type === 'system:gap');
	for (const [n, [line, reason]] of bad.entries()) {
		expect(gaps[n]).toMatchObject({ bytes: Buffer.byteLength(line), reason: expect.stringMatching(reason) });
		expect(gaps[n]?.ts).toBe(samplePrompt('s1', 100 + n).ts);
	}
	expect(run.tail.viewOf('s1')?.counters.gaps).toBe(bad.length);
	expect(events.at(-1)).toMatchObject({ id: 'e999' });
	await run.stop();
});

test('a line of 10 MB that arrives in pieces is skipped to its newline and shown as a gap', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	const half = 'x'.repeat(5_000_000);
	rig.append('s1', `{"id":"big","text":"${half}`);
	await run.tail.whenRead();
	expect(run.events('s1')).toHaveLength(1);
	rig.append('s1', `${half}"}`);
	rig.append('s1', asLine(samplePrompt('s1', 2)));
	await run.tail.whenRead();
	const events = run.events('s1');
	expect(events.map((event) => event.type)).toEqual(['prompt:submit', 'system:gap', 'prompt:submit']);
	expect(events[1]).toMatchObject({ bytes: 10_000_022, offset: asLine(samplePrompt('s1', 1)).length });
	await run.stop();
	const again = await rig.start();
	await again.tail.whenRead();
	expect(again.events('s1')).toEqual(events);
	await again.stop();
});

test('R54 lines of the original Overtone get an id from their bytes and their number', async () => {
	const rig = createTimelineRig();
	const line = { ts: '2026-01-01T00:00:00Z', type: 'stage:start', category: 'stage', label: '階段開始', stage: 'DEV' };
	const first = await rig.start();
	rig.append('s1', asLine(line).repeat(3));
	await first.tail.whenRead();
	await first.stop();
	const second = await rig.start();
	rig.append('s1', asLine({ ...line, stage: 'TEST' }) + asLine(line).repeat(4));
	await second.tail.whenRead();
	const events = second.events('s1');
	expect(events).toHaveLength(8);
	expect(new Set(events.map((event) => event.id)).size).toBe(8);
	for (const event of events)
		expect(event).toMatchObject({ sessionId: 's1', type: 'stage:start', id: expect.stringMatching(/^[0-9a-f]{64}$/) });
	await second.stop();
});

test('a line that names another session is a gap, and is indexed into neither', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	rig.append('s1', asLine(samplePrompt('s2', 1)) + asLine(samplePrompt('s1', 2)));
	await run.tail.whenRead();
	expect(run.events('s1')).toMatchObject([{ type: 'system:gap', reason: 'belongs to another session' }, { id: 'e2' }]);
	expect(run.events('s2')).toEqual([]);
	await run.stop();
});

test('an event id is indexed once in a session, and once in each other session', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	const twice = asLine(samplePrompt('s1', 1)).repeat(2);
	rig.append('s1', twice);
	await run.tail.whenRead();
	rig.append('s1', twice + asLine(samplePrompt('s1', 2)));
	rig.append('s2', asLine(samplePrompt('s2', 1)));
	await run.tail.whenRead();
	expect(run.events('s1').map(({ id, seq }) => [id, seq])).toEqual([
		['e1', 1],
		['e2', 2],
	]);
	expect(run.events('s2')).toHaveLength(1);
	await run.stop();
});

test('R57 approval and grant lines that are not their journal row are unverified, whatever they claim', async () => {
	const rig = createTimelineRig();
	const journal = await openSqliteJournal(join(rig.home, 'journal.db'));
	const payload = { approvalId: 'approval-1' };
	const row = await journal.append({
		id: 'row-1',
		kind: 'approval:expire',
		subject: 'approval-1',
		sessionId: 's1',
		payload,
	});
	const words = { category: 'approval', label: 'Approval expired' };
	const decided = { id: 'row-1', ts: row?.ts, type: 'approval:expire', ...words, sessionId: 's1', ...payload };
	const resolve = { decision: 'approve', by: { role: 'operator', via: 'browser' } };
	const run = await rig.start({ journal });
	const lines = [
		{ ...decided, type: 'approval:resolve', ...resolve },
		{ ...decided, approvalId: 'approval-2' },
		{ ...decided, toolUseId: 'another-call' },
		{ ...decided, id: 'no-row', unverified: false },
		{ ...decided, id: 'odd', type: 'grant:unheard-of', unverified: false, seq: 77 },
		{ ...samplePrompt('s1', 2), type: 'own:type', unverified: true, seq: 5 },
		{ ...decided, unverified: true, seq: 99 },
	];
	rig.append('s1', lines.map(asLine).join(''));
	rig.append('s2', asLine({ ...decided, sessionId: 's2' }));
	await run.tail.whenRead();
	const seen = run.events('s1').map(({ id, seq, unverified }) => ({ id, seq, unverified }));
	const forged = expect.stringMatching(/^[0-9a-f]{64}$/);
	expect(seen).toEqual([
		{ id: forged, seq: 1, unverified: true },
		{ id: forged, seq: 2, unverified: true },
		{ id: forged, seq: 3, unverified: true },
		{ id: 'no-row', seq: 4, unverified: true },
		{ id: 'odd', seq: 5, unverified: true },
		{ id: 'e2', seq: 6, unverified: undefined },
		{ id: 'row-1', seq: 7, unverified: undefined },
	]);
	expect(run.events('s2')).toMatchObject([{ unverified: true }]);
	await run.stop();
	await journal.close();
});

test('a line whose row lost a field is still proven, and its word for that field no longer counts', async () => {
	const rig = createTimelineRig();
	const path = join(rig.home, 'journal.db');
	const journal = await openSqliteJournal(path);
	const by = { role: 'operator', via: 'browser' };
	const payload = { approvalId: 'approval-1', decision: 'deny', by, reason: 'the customer is called Ada' };
	const draft = { id: 'row-1', kind: 'approval:resolve', subject: 'approval-1', sessionId: 's1', payload } as const;
	const row = await journal.append(draft);
	const words = { category: 'approval', label: 'Approval decided' };
	const decided = { id: 'row-1', ts: row?.ts, type: 'approval:resolve', ...words, sessionId: 's1', ...payload };
	redactRow(path, { n: 1, fields: ['reason'], reason: 'a name' });
	const run = await rig.start({ journal });
	const { reason: _reason, ...without } = decided;
	rig.append('s1', asLine({ ...decided, decision: 'approve' }) + asLine({ ...decided, reason: 'another' }));
	rig.append('s2', asLine({ ...decided, sessionId: 's2' }));
	await run.tail.whenRead();
	expect(run.events('s1')).toMatchObject([{ unverified: true }, { id: 'row-1', decision: 'deny', by }]);
	expect(run.events('s1')[1]).not.toHaveProperty('unverified');
	expect(run.events('s1')[1]).not.toHaveProperty('reason');
	expect(run.events('s2')).toMatchObject([{ unverified: true }]);
	await run.stop();
	const again = createTimelineRig();
	const reread = await again.start({ journal });
	again.append('s1', asLine(without));
	await reread.tail.whenRead();
	expect(reread.events('s1')).toMatchObject([{ id: 'row-1', decision: 'deny' }]);
	expect(reread.events('s1')[0]).not.toHaveProperty('unverified');
	await reread.stop();
	await journal.close();
});

test('R59 an index that was deleted comes back equal, under a new epoch', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	for (let n = 1; n <= 50; n += 1) {
		rig.append(`s${n % 3}`, asLine(samplePrompt(`s${n % 3}`, n)) + (n % 7 === 0 ? '{"torn' : ''));
		run.tail.noteAppended(`s${n % 3}`);
		if (n % 10 === 0) await run.tail.whenRead();
	}
	await run.tail.whenRead();
	const picture = (from: typeof run) =>
		['s0', 's1', 's2'].map((id) => [from.tail.viewOf(id), from.events(id), from.index.rows(id, everyRow)]);
	const before = picture(run);
	const { epoch } = run.index;
	await run.stop();
	for (const suffix of ['', '-wal', '-shm']) rmSync(join(rig.home, `index.db${suffix}`), { force: true });
	const rebuilt = await rig.start();
	await rebuilt.tail.whenRead();
	expect(picture(rebuilt)).toEqual(before);
	expect(rebuilt.index.epoch).not.toBe(epoch);
	await rebuilt.stop();
});

const changes: [string, (file: string) => void][] = [
	['cut shorter', (file) => truncateSync(file, asLine(samplePrompt('s1', 1)).length)],
	[
		'replaced by another file',
		(file) => {
			writeFileSync(`${file}.new`, asLine(samplePrompt('s1', 1)) + asLine(samplePrompt('s1', 5)).repeat(10));
			renameSync(`${file}.new`, file);
		},
	],
	[
		'rewritten in place',
		(file) => writeFileSync(file, asLine(samplePrompt('s1', 1)) + asLine(samplePrompt('s1', 5)).repeat(10)),
	],
	[
		'rewritten in place to the same size',
		(file) =>
			writeFileSync(
				file,
				(asLine(samplePrompt('s1', 1)) + asLine(samplePrompt('s1', 4))).padEnd(statSync(file).size, '\n'),
			),
	],
];
test.each(changes)('a timeline that was %s is read again under a new epoch', async (_how, change) => {
	for (const restart of [false, true]) {
		const rig = createTimelineRig();
		let run = await rig.start();
		rig.append('s1', asLine(samplePrompt('s1', 1)) + asLine(samplePrompt('s1', 2)) + asLine(samplePrompt('s1', 3)));
		await run.tail.whenRead();
		const { epoch } = run.index;
		if (restart) await run.stop();
		change(rig.file('s1'));
		if (restart) run = await rig.start();
		await run.tail.whenRead();
		expect(run.index.epoch).not.toBe(epoch);
		const ids = run.events('s1').map(({ id, seq }) => `${seq}:${id}`);
		expect(ids[0]).toBe('1:e1');
		expect(ids).not.toContain('2:e2');
		expect(run.tail.viewOf('s1')?.seq).toBe(ids.length);
		rig.append('s1', asLine(samplePrompt('s1', 50)));
		await run.tail.whenRead();
		expect(run.events('s1').at(-1)).toMatchObject({ id: 'e50', seq: ids.length + 1 });
		await run.stop();
	}
});

test('a session whose timeline was deleted is forgotten', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	await run.tail.whenRead();
	rmSync(rig.folder('s1'), { recursive: true });
	await run.tail.whenRead();
	expect(run.tail.viewOf('s1')).toBeUndefined();
	expect(run.tail.views()).toEqual([]);
	rig.append('s1', asLine(samplePrompt('s1', 2)));
	await run.tail.whenRead();
	expect(run.events('s1').map(({ id, seq }) => [id, seq])).toEqual([['e2', 1]]);
	await run.stop();
});

test('a session folder that appears later is found without anybody telling', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	const found = new Promise<string>((resolve) => run.tail.onBatch((batch) => resolve(batch.sessionId)));
	rig.append('late', asLine(samplePrompt('late', 1)));
	expect(await found).toBe('late');
	await run.stop();
});

test('names that are no session id, links and FIFOs are never read, and are warned of once', async () => {
	const rig = createTimelineRig();
	rig.append('real', asLine(samplePrompt('real', 1)));
	rig.append('..x', asLine(samplePrompt('x', 1)));
	symlinkSync(rig.folder('real'), rig.folder('linked-folder'));
	mkdirSync(rig.folder('linked-file'));
	symlinkSync(rig.file('real'), rig.file('linked-file'));
	mkdirSync(rig.folder('fifo'));
	execFileSync('mkfifo', [rig.file('fifo')]);
	mkdirSync(rig.file('folder'), { recursive: true });
	const run = await rig.start();
	for (const id of ['linked-folder', 'linked-file', 'fifo', 'folder', '../real', '..x']) run.tail.noteAppended(id);
	await run.tail.whenRead();
	await run.tail.whenRead();
	expect(run.tail.views().map((view) => view.sessionId)).toEqual(['real']);
	for (const name of ['..x', 'linked-folder', 'linked-file', 'fifo', 'folder']) {
		expect(run.logged.filter((line) => line.includes(`session=${JSON.stringify(name)}`))).toHaveLength(1);
	}
	await run.stop();
});

test('a batch that the index could not write is read again, and counted once', async () => {
	const rig = createTimelineRig();
	const index = openSqliteIndex(join(rig.home, 'index.db'));
	const logged: string[] = [];
	let broken = true;
	const flaky: IndexStore = {
		...index,
		get epoch() {
			return index.epoch;
		},
		write(...batches) {
			if (broken) throw new Error('database or disk is full');
			index.write(...batches);
		},
	};
	const log = createLog((line) => logged.push(line));
	const tail = createTail({ home: rig.home, index: flaky, journal: { find: () => undefined }, log });
	await tail.start();
	const line = { ts: '2026-01-01T00:00:00Z', type: 'loop:start', category: 'loop', label: '循環開始' };
	rig.append('s1', asLine(line).repeat(2));
	rig.append('s2', asLine(samplePrompt('s2', 1)));
	await tail.whenRead();
	await tail.whenRead();
	expect(tail.views()).toEqual([]);
	expect(logged.filter((text) => text.includes('disk is full'))).toHaveLength(2);
	broken = false;
	await tail.whenRead();
	expect(tail.viewOf('s1')?.seq).toBe(2);
	expect(tail.viewOf('s2')?.seq).toBe(1);
	rig.append('s1', asLine(line));
	await tail.whenRead();
	expect(tail.viewOf('s1')?.seq).toBe(3);
	await tail.stop();
	index.close();
});

test('sessions read in one turn are written together, and apart where that fails', async () => {
	const rig = createTimelineRig();
	const index = openSqliteIndex(join(rig.home, 'index.db'));
	const writes: string[] = [];
	const picky: IndexStore = {
		...index,
		get epoch() {
			return index.epoch;
		},
		write(...batches) {
			const names = batches.map(({ sessionId }) => sessionId).join(' ');
			writes.push(names);
			if (names.includes('bad')) throw new Error('this one cannot be written');
			index.write(...batches);
		},
	};
	const log = createLog(() => undefined);
	const tail = createTail({ home: rig.home, index: picky, journal: { find: () => undefined }, log });
	await tail.start();
	let rounds = 0;
	/** Until all were read in one turn: a busy machine may need two for them, each with its own write. */
	const together = async (...sessions: string[]) => {
		while (!writes.includes(sessions.join(' '))) {
			rounds += 1;
			for (const id of sessions) rig.append(id, asLine(samplePrompt(id, rounds)));
			for (const id of sessions) tail.noteAppended(id);
			await tail.whenRead();
		}
	};
	await together('a', 'b');
	await together('a', 'bad', 'b');
	const at = writes.indexOf('a bad b');
	expect(writes.slice(at, at + 4)).toEqual(['a bad b', 'a', 'bad', 'b']);
	expect(tail.viewOf('a')?.seq).toBe(rounds);
	expect(tail.viewOf('b')?.seq).toBe(rounds);
	expect(tail.viewOf('bad')).toBeUndefined();
	await tail.stop();
	index.close();
});

test('a listener gets a batch before the index has it, and a refused one again, with the same numbers', async () => {
	const rig = createTimelineRig();
	const index = openSqliteIndex(join(rig.home, 'index.db'));
	let isFull = false;
	const full: IndexStore = {
		...index,
		get epoch() {
			return index.epoch;
		},
		write(...batches) {
			if (isFull) throw new Error('database or disk is full');
			index.write(...batches);
		},
	};
	const log = createLog(() => undefined);
	const tail = createTail({ home: rig.home, index: full, journal: { find: () => undefined }, log });
	const heard: string[] = [];
	const note = (when: 'read' | 'stored') =>
		tail.onBatch(({ events }) => {
			heard.push(`${events.map(({ seq }) => seq).join()} ${when}, ${index.view('s1')?.seq} stored`);
		}, when);
	note('stored');
	note('read');
	await tail.start();
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	await tail.whenRead();
	expect(heard, 'no epoch before it is stored').toEqual(['1 read, 1 stored', '1 stored, 1 stored']);
	heard.length = 0;
	isFull = true;
	rig.append('s1', asLine(samplePrompt('s1', 2)));
	await tail.whenRead();
	isFull = false;
	await tail.whenRead();
	expect(new Set(heard.slice(0, -1))).toEqual(new Set(['2 read, 1 stored']));
	expect(heard.length).toBeGreaterThan(2);
	expect(heard.at(-1)).toBe('2 stored, 2 stored');
	await tail.stop();
	index.close();
});

test('a listener that throws is logged and keeps nothing from the others', async () => {
	const rig = createTimelineRig();
	const run = await rig.start();
	run.tail.onBatch(() => {
		throw new Error('broken listener');
	});
	const sessions: string[] = [];
	const end = run.tail.onBatch((batch) => sessions.push(batch.sessionId));
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	await run.tail.whenRead();
	end();
	rig.append('s1', asLine(samplePrompt('s1', 2)));
	await run.tail.whenRead();
	expect(sessions).toEqual(['s1']);
	expect(run.events('s1')).toHaveLength(2);
	expect(run.logged.join('')).toContain('broken listener');
	await run.stop();
});
