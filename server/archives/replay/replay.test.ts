import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { foldPart, PART_EVENTS, seqAt } from '#lib/replay/recording.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { createRecordingStore } from './replay-service.ts';

let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
}, 120_000);

const LONG = 2 * PART_EVENTS + 100;
const recordingOf = (id: string, sessionId: string) => join(rig.home, 'reels', id, `${sessionId}.reel`);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

/** A session of calls and their results, two seconds a call; its first call ends last of all. */
function work(sessionId: string, feature = 'user-login', events = LONG): void {
	rig.say(sessionId, 'session:start', { cwd: rig.project });
	if (sessionId === 's2') rig.say(sessionId, 'specs:init', { featureName: feature });
	else newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
	for (let index = 0; index < events / 2; index += 1) {
		const call = { toolUseId: `t${index}`, tool: 'Bash' };
		rig.say(sessionId, 'tool:call', { ...call, input: { command: `ls ${index}` } });
		if (index % 100 === 7) rig.say(sessionId, 'command:block', { command: 'rm', reason: `no ${index}` });
		if (index > 0) rig.say(sessionId, 'tool:result', { ...call, response: 'ok' });
	}
	rig.say(sessionId, 'tool:error', { toolUseId: 't0', tool: 'Bash', error: 'late' });
}

async function archive(feature = 'user-login'): Promise<string> {
	const outcome = archiveFeature(rig.project, feature, { ...rig, append: rig.ports.append });
	if (!outcome.ok) throw new Error(outcome.detail);
	await rig.whenSettled();
	return outcome.id;
}

async function allEvents(id: string, sessionId: string): Promise<IndexedEvent[]> {
	const events: IndexedEvent[] = [];
	for (;;) {
		const more = await rig.replay.events(id, sessionId, { after: events.length, limit: 1000 });
		if (more.length === 0) return events;
		events.push(...more);
	}
}

/** The outline, asked for until all of it has been read. */
async function whole(id: string) {
	for (;;) {
		const recording = await rig.replay.recording(id);
		if (recording.reading === undefined) return recording;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

test('a session is read at any instant from its file as the fold of all events up to it, with its rows', async () => {
	work('s1');
	rig.say('s1', 'session:end', {});
	const id = await archive();
	// It was made when the session had been kept.
	expect(existsSync(recordingOf(id, 's1'))).toBe(true);
	const events = await allEvents(id, 's1');
	const rows = new Map<string, Row>();
	let view = emptyView('s1');
	const steps = [
		1,
		2,
		PART_EVENTS - 1,
		PART_EVENTS,
		PART_EVENTS + 1,
		2 * PART_EVENTS,
		events.length - 1,
		events.length,
	];
	for (const event of events) {
		const step = fold(view, event, (key) => rows.get(key));
		view = step.view;
		for (const row of step.rows) rows.set(row.key, row);
		const at = Date.parse(event.ts);
		if (!steps.includes(event.seq) || Date.parse(events[event.seq]?.ts ?? '') === at) continue;
		const part = await rig.replay.part(id, 's1', { at });
		const seq = seqAt(part, at);
		expect(plain(foldPart(part, seq).view)).toEqual(plain(view));
		expect(part.nextAt).toBe(
			events[part.after + PART_EVENTS] ? Date.parse(events[part.after + PART_EVENTS]?.ts ?? '') : null,
		);
		const sorted = [...rows.values()].sort((a, b) => a.seq - b.seq);
		expect(await rig.replay.rows(id, 's1', { seq, limit: 500 })).toEqual(plain(sorted.slice(-500)));
		expect(await rig.replay.rows(id, 's1', { seq, after: 0, limit: 50 })).toEqual(plain(sorted.slice(0, 50)));
		expect(await rig.replay.part(id, 's1', { seq })).toEqual(part);
	}
	const first = rows.get('call:t0');
	const own = await rig.replay.events(id, 's1', { after: 0, limit: 9, row: 'call:t0', begun: first?.seq });
	expect(own.map(({ type }) => type)).toEqual(['tool:call', 'tool:error']);
	expect(await rig.replay.events(id, 's1', { after: 0, limit: 9, row: 'call:t0' })).toEqual(own);
});

test('moments and chapters are those of all sessions, on both sides of an instant', async () => {
	work('s1', 'user-login', 400);
	work('s2', 'user-login', 400);
	const id = await archive();
	const { sessions } = await whole(id);
	expect(sessions.map(({ sessionId, chapters }) => [sessionId, chapters.denial])).toEqual([
		['s1', 2],
		['s2', 2],
	]);
	const all = [...(await allEvents(id, 's1')), ...(await allEvents(id, 's2'))].sort((a, b) => (a.ts < b.ts ? -1 : 1));
	const times = all.map(({ ts }) => Date.parse(ts));
	for (const index of [0, 1, 150, times.length - 1]) {
		const at = times[index] ?? 0;
		expect(await rig.replay.moment(id, at)).toEqual({
			happened: times.filter((time) => time <= at).length,
			previous: times.findLast((time) => time < at) ?? null,
			next: times.find((time) => time > at) ?? null,
		});
	}
	const begun = sessions[1]?.from ?? 0;
	const { before, after } = await rig.replay.chapters(id, begun, ['denial'], 1);
	expect([before, after].map(([chapter]) => [chapter?.sessionId, chapter?.title])).toEqual([
		['s1', 'rm: no 107'],
		['s2', 'rm: no 7'],
	]);
	const none = await rig.replay.chapters(id, begun, ['mismatch'], 1);
	expect(none).toEqual({ before: [], after: [] });
});

test('a recording may be deleted or broken at any time: it is built again, and follows a session that continues', async () => {
	work('s1', 'user-login', 40);
	const id = await archive();
	const { length } = await allEvents(id, 's1');
	rig.say('s1', 'prompt:submit', { prompt: 'and then?', source: 'user' });
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	const before = await allEvents(id, 's1');
	expect(before.length).toBe(length + 2);
	expect((await whole(id)).sessions[0]?.events).toBe(before.length);
	for (const broken of [null, 'no database', '']) {
		await rig.close();
		rmSync(join(rig.home, 'reels'), { recursive: true });
		mkdirSync(join(rig.home, 'reels', id), { recursive: true });
		if (broken !== null) writeFileSync(recordingOf(id, 's1'), broken);
		rig = await openFeatures(rig);
		await rig.whenSettled();
		// A start reads no recording that nobody opens.
		expect(existsSync(recordingOf(id, 's1'))).toBe(broken !== null);
		expect(await allEvents(id, 's1')).toEqual(before);
	}
});

test('recordings take a bounded room: those that were opened longest ago go first', async () => {
	for (const feature of ['one', 'two', 'three']) {
		work(feature, feature, 40);
		rig.say(feature, 'session:end', {});
	}
	const ids = [await archive('one'), await archive('two'), await archive('three')] as const;
	const bytes = statSync(recordingOf(ids[0], 'one')).size;
	rmSync(recordingOf(ids[2], 'three'));
	utimesSync(recordingOf(ids[0], 'one'), new Date(2_000), new Date(2_000));
	utimesSync(recordingOf(ids[1], 'two'), new Date(1_000), new Date(1_000));
	const log = { info: () => {}, warn: () => {}, error: () => {} };
	const recordings = createRecordingStore({
		ports: { home: rig.home, proofOf: () => ({ kind: 'unknown', redacted: [] }) },
		log,
		maxBytes: 2.5 * bytes,
	});
	await recordings.open(ids[2], 'three');
	recordings.close();
	expect(ids.map((id) => readdirSync(join(rig.home, 'reels', id)))).toEqual([['one.reel'], [], ['three.reel']]);
});
