import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { listArchives } from '#hooks-bridge/features/archive-claim.ts';
import { toldEvents } from '#hooks-bridge/testing/recorded-events.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { rejudgeSession } from '#lib/rejudge/rejudge-session.ts';
import { fold } from '#lib/session/fold.ts';
import { emptyView } from '#lib/session/view.ts';
import { readManifest, readOutcome } from '../../archives/features/archive-sync.ts';
import { verifyJournal } from '../../journal/verify-journal.ts';
import { openJournalReads } from '../../timeline/store/sqlite-journal.ts';
import { proofIn } from '../../timeline/tail/line-event.ts';
import { codexLive, supervisedLive, workflowBefore, workflowLive } from './live-stories.ts';
import { pastStories } from './past-stories.ts';
import { playStory, type StoryLine, writeStory } from './story.ts';
import { writeHistory } from './write-history.ts';
import { writePast } from './write-past.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-demo-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** What a session's page would show; every line must be one that the catalogue knows. */
function viewOf(sessionId: string) {
	let view = emptyView(sessionId);
	for (const [at, event] of (toldEvents(home, sessionId) as unknown as IndexedEvent[]).entries()) {
		expect(parseEvent(event), `${event.type} of ${sessionId}`).not.toHaveProperty('unknown');
		view = fold(view, { ...event, seq: at + 1 }, () => undefined).view;
	}
	return view;
}

test('the demo plays a workflow with a group of which a stage fails, and a supervisor that blocks twice', async () => {
	const { signal } = new AbortController();
	const dir = '/home/dev/shop';
	writeStory(home, 'workflow', Date.now() - 400_000, workflowBefore(dir));
	expect(viewOf('workflow').counters).toMatchObject({ fails: 0 });
	await playStory(home, 'workflow', workflowLive(dir), { speed: 1e6, signal });
	const { counters, workflow, stageRuns } = viewOf('workflow');
	expect(counters).toMatchObject({ fails: 1, retries: 1 });
	expect(workflow?.ended).toMatchObject({ how: 'complete' });
	expect(stageRuns?.filter(({ stage }) => stage === 'TEST:2').map(({ result }) => result)).toEqual(['fail', 'pass']);

	await playStory(home, 'supervised', supervisedLive(dir), { speed: 1e6, signal });
	expect(viewOf('supervised').supervisor.map(({ allow }) => allow)).toEqual([false, false, true]);

	await playStory(home, 'codex', codexLive(dir), { speed: 1e6, signal });
	const codex = viewOf('codex');
	expect(codex).toMatchObject({ agent: 'codex', counters: { calls: 4, denials: 1, alarms: 0 } });
	expect(codex.work?.files).toMatchObject([{ path: 'docs/guide.md', edits: 1 }]);
});

test('the supervisor of the demo stands in its ledger, and its archives end with the work', async () => {
	const { signal } = new AbortController();
	const heard: string[] = [];
	const onLine = ({ type }: StoryLine) => heard.push(type);
	await playStory(home, 'supervised', supervisedLive('/home/dev/api'), { speed: 1e6, signal, onLine });
	expect(viewOf('supervised').rules).toEqual({ 'supervisor.review': { denied: 2, overridden: 0 } });
	expect(heard.filter((type) => type === 'supervisor:verdict')).toHaveLength(3);

	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeHistory(home, project, Date.now());
	for (const sessionId of ['cart-first', 'cart-again']) {
		const times = toldEvents(home, sessionId).map(({ ts }) => Date.parse(String(ts)));
		expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeLessThan(120_000);
	}
});

test('the demo has two weeks of decisions behind it, by gates and by people, and its journal proves each', () => {
	writePast(home, home, Date.now());
	const path = join(home, 'journal.db');
	const { proven, lines, overrides } = readPast(path);
	expect(lines).toBeGreaterThan(20);
	expect(proven).toBe(lines);
	expect(overrides.filter((count) => count > 0).length).toBeGreaterThan(4);
	expect(verifyJournal(path)).toMatchObject({ rows: lines, bad: null });
	for (const [at] of pastStories.entries()) {
		const events = toldEvents(home, `past-${at + 1}`) as unknown as IndexedEvent[];
		expect(rejudgeSession(events, { enabled: new Map() }).changed).toEqual([]);
	}
	const denials = pastStories.map((_, at) => viewOf(`past-${at + 1}`).counters.denials);
	expect(denials.filter((count) => count > 0).length).toBeGreaterThan(6);
});

/** Its lines of approvals, how many of them the journal proves, and the overrides of each session. */
function readPast(path: string) {
	const { close, ...reads } = openJournalReads(path);
	try {
		const sessions = pastStories.map((_, at) => toldEvents(home, `past-${at + 1}`));
		const lines = sessions.flat().filter(({ type }) => String(type).startsWith('approval:'));
		const proofOf = proofIn(reads);
		return {
			lines: lines.length,
			proven: lines.filter((line) => proofOf(line).kind === 'proven').length,
			overrides: pastStories.map((_, at) => viewOf(`past-${at + 1}`).counters.overrides),
		};
	} finally {
		close();
	}
}

test('the demo has two archived features of one name, which went different ways', async () => {
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeHistory(home, project, Date.now());
	const archives = listArchives(home, Date.now());
	expect(archives).toHaveLength(2);
	expect(archives.map((id) => readManifest(home, id)?.feature)).toEqual(['cart', 'cart']);
	expect(archives.map((id) => readOutcome(home, id)?.retries).sort()).toEqual([0, 1]);
});
