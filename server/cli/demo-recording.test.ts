import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { listArchives } from '#hooks-bridge/features/archive-claim.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { rejudgeAll } from '#lib/rejudge/testing/rejudge-all.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { readManifest, readOutcome } from '../archives/features/archive-sync.ts';
import { verifyJournal } from '../journal/verify-journal.ts';
import { openJournalReads } from '../timeline/store/sqlite-journal.ts';
import { proofIn } from '../timeline/tail/timeline-file.ts';
import { playSession, type RecordedLine, readDemoRecording, writeArchivedCarts, writePast } from './demo-recording.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-demo-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** What a session's page would show; every line must be one that the catalogue knows. */
function viewOf(sessionId: string) {
	let view = emptyView(sessionId);
	for (const [index, event] of (recordedEvents(home, sessionId) as unknown as IndexedEvent[]).entries()) {
		expect(parseEvent(event), `${event.type} of ${sessionId}`).not.toHaveProperty('unknown');
		view = fold(view, { ...event, seq: index + 1 }, () => undefined).view;
	}
	return view;
}

/** The recording as the demo reads it; its live sessions are played at once. */
async function playAll() {
	const { signal } = new AbortController();
	const recording = await readDemoRecording(home, Date.now());
	const played: string[] = [];
	const onLine = ({ sessionId, type }: RecordedLine) => played.push(`${sessionId} ${type}`);
	for (const sessionId of recording.live.keys())
		await playSession(home, sessionId, recording, { speed: 1e6, signal, onLine });
	return played;
}

test('the demo plays a workflow with a group of which a stage fails, and a supervisor that blocks twice', async () => {
	await writePast(home, home, await readDemoRecording(home, Date.now()));
	expect(viewOf('demo-workflow').counters).toMatchObject({ fails: 0 });
	const played = await playAll();
	const { counters, workflow, stageRuns } = viewOf('demo-workflow');
	expect(counters).toMatchObject({ fails: 1, retries: 1 });
	expect(workflow?.ended).toMatchObject({ how: 'complete' });
	expect(stageRuns?.filter(({ stage }) => stage === 'TEST:2').map(({ result }) => result)).toEqual(['fail', 'pass']);

	const { supervisor } = viewOf('demo-supervised');
	expect(supervisor.map(({ allow }) => allow)).toEqual([false, false, true]);
	// Played faster, a review lasts no longer than the session around it.
	for (const { durationMs } of supervisor) expect(durationMs).toBeLessThan(1000);
	expect(viewOf('demo-supervised').rules).toEqual({ 'supervisor.review': { denied: 2, overridden: 0 } });
	expect(played.filter((line) => line === 'demo-supervised supervisor:verdict')).toHaveLength(3);

	const codex = viewOf('demo-codex');
	expect(codex).toMatchObject({ agent: 'codex', counters: { calls: 4, denials: 1, alarms: 0 } });
	expect(codex.work?.files).toMatchObject([{ path: 'docs/guide.md', edits: 1 }]);
});

test('the past of the demo ends before it starts, the rest is played from then on, and all lies below its folder', async () => {
	const start = Date.UTC(2027, 5, 1);
	const { past, live } = await readDemoRecording('/tmp/demo', start);
	const times = (lines: typeof past) => [...lines.values()].flat().map(({ ts }) => Date.parse(ts));
	expect(Math.max(...times(past))).toBeLessThan(start);
	expect(Math.min(...times(live))).toBe(start);
	const text = JSON.stringify([...past, ...live]);
	expect(text).not.toContain('/home/dev');
	expect(text).not.toMatch(/2026-\d\d-\d\dT/);
	expect(text).toContain('"cwd":"/tmp/demo/shop"');
});

test('the archives of the demo end with the work', async () => {
	await writeArchivedCarts(home, projectFolder(), Date.now());
	for (const sessionId of ['cart-first', 'cart-again']) {
		const times = recordedEvents(home, sessionId).map(({ ts }) => Date.parse(String(ts)));
		expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeLessThan(120_000);
	}
});

test('the demo has two weeks of decisions behind it, by gates and by people, and its journal proves each', async () => {
	const recording = await readDemoRecording(home, Date.now());
	projectFolder();
	await writePast(home, home, recording);
	const path = join(home, 'journal.db');
	const { close, ...reads } = openJournalReads(path);
	try {
		const proofOf = proofIn(reads);
		const ids = [...recording.past.keys()].filter((sessionId) => sessionId.startsWith('past-'));
		const lines = ids
			.flatMap((id) => recordedEvents(home, id))
			.filter(({ type }) => String(type).startsWith('approval:'));
		expect(lines.length).toBeGreaterThan(20);
		expect(lines.filter((line) => proofOf(line).kind === 'proven')).toHaveLength(lines.length);
		expect(verifyJournal(path)).toMatchObject({ rows: lines.length, bad: null });
		for (const id of ids) {
			const events = recordedEvents(home, id) as unknown as IndexedEvent[];
			expect(rejudgeAll(events, { enabled: new Map() }).changed).toEqual([]);
		}
		const counters = ids.map((id) => viewOf(id).counters);
		expect(counters.filter(({ overrides }) => overrides > 0).length).toBeGreaterThan(4);
		expect(counters.filter(({ denials }) => denials > 0).length).toBeGreaterThan(6);
	} finally {
		close();
	}
});

test('the demo has two archived features of one name, which went different ways', async () => {
	await writeArchivedCarts(home, projectFolder(), Date.now());
	const archives = listArchives(home, Date.now());
	expect(archives).toHaveLength(2);
	expect(archives.map((id) => readManifest(home, id)?.feature)).toEqual(['cart', 'cart']);
	expect(archives.map((id) => readOutcome(home, id)?.retries).sort()).toEqual([0, 1]);
});

function projectFolder(): string {
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	return project;
}
