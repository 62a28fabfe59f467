import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { NoteBody } from '#lib/contract/sessions/session-actions.ts';
import { createOutbox } from '../../approvals/outbox.ts';
import { createLog } from '../../process/log.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { createNoteService } from './note-service.ts';

let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
});

const by = { role: 'operator', via: 'browser', name: 'ada' } as const;
const HOSTILE = '<script>alert(1)</script>\u202e\ud800 =1+1';

function open() {
	const outbox = createOutbox({ journal: rig.journal, ports: rig.ports, log: createLog(() => undefined) });
	const isKnown = (sessionId: string) => rig.tail.viewOf(sessionId) !== undefined;
	return { outbox, service: createNoteService({ outbox, journal: rig.journal, isKnown }) };
}

test('a note is in the journal with its author and time, in the timeline, the story, the search and the archive, and survives a rebuild', async () => {
	rig.say('s1', 'session:start', { cwd: rig.project });
	newFeature(rig.project, 'cart', rig, { sessionId: 's1' });
	rig.say('s1', 'tool:call', { toolUseId: 't1', tool: 'Bash', input: { command: 'ls' } });
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	const { service, outbox } = open();
	const note = await service.add('s1', NoteBody.parse({ row: 'call:t1', text: HOSTILE, labels: ['keep', 'keep'] }), by);
	await service.add('s1', NoteBody.parse({ stage: 'DEV', text: 'slow' }), by);
	expect(note).toMatchObject({ row: 'call:t1', labels: ['keep'], by, at: expect.any(String) });
	await outbox.whenPublished();
	await rig.whenSettled();
	expect(service.list('s1').map(({ stage, row }) => stage ?? row)).toEqual(['call:t1', 'DEV']);
	const added = rig.index.events('s1', { after: 0, limit: 100 }).filter(({ type }) => type === 'note:add');
	expect(added.map(({ unverified, id }) => [unverified, id])).toContainEqual([undefined, note.id]);
	// The session has ended all the same.
	expect(rig.tail.viewOf('s1')?.ended).toBeDefined();
	const [live] = await rig.service.list();
	const { id } = await rig.service.act(live?.id ?? '', 'archive', by);
	await rig.whenSettled();
	expect(gunzipSync(readFileSync(join(rig.home, 'archive', id, 's1.jsonl.gz'))).toString()).toContain('"note:add"');
	await rig.close();
	for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(rig.home, name), { force: true });
	rig = await openFeatures(rig);
	await rig.whenSettled();
	expect(open().service.list('s1')).toHaveLength(2);
	expect(rig.index.events('s1', { after: 0, limit: 100 }).filter(({ type }) => type === 'note:add')).toHaveLength(2);
});

test('a note is about one row, one stage or one stretch of time, of a bounded length, and of a session that there is', async () => {
	const fits = (body: object) => NoteBody.safeParse(body).success;
	const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
	expect(fits({ from, to, text: 'x' })).toBe(true);
	for (const wrong of [
		...[{ text: 'x' }, { row: 'a', stage: 'b', text: 'x' }, { from, text: 'x' }, { from: to, to: from, text: 'x' }],
		...[
			{ row: 'a', text: ' ' },
			{ row: 'a', text: 'x'.repeat(2001) },
			{ row: 'a', text: 'x', labels: ['y'.repeat(41)] },
		],
		{ row: 'a', text: 'x', labels: Array.from({ length: 11 }, (_, index) => `${index}`) },
	])
		expect(fits(wrong)).toBe(false);
	const body = NoteBody.parse({ row: 'a', text: 'x' });
	await expect(open().service.add('nobody', body, by)).rejects.toMatchObject({ code: 'session/not-found' });
});

test('a note that nobody wrote in the journal is shown as unverified', async () => {
	rig.say('s1', 'session:start', { cwd: rig.project });
	rig.say('s1', 'note:add', { row: 'call:t1', text: 'forged', labels: [], by });
	await rig.whenSettled();
	expect(rig.index.events('s1', { after: 1, limit: 10 })).toMatchObject([{ type: 'note:add', unverified: true }]);
	expect(open().service.list('s1')).toEqual([]);
});

test('a note or an acknowledgement that a server journaled before it died reaches the timeline by the next server', async () => {
	rig.say('s1', 'session:start', { cwd: rig.project });
	const note = { row: 'call:t1', text: 'late', labels: [], by };
	const drafts = [
		{ id: 'n-1', kind: 'note:add' as const, payload: note },
		{ id: 'a-1', kind: 'alarm:acknowledge' as const, payload: { alarm: 'stuck:DEV', by } },
	];
	for (const draft of drafts) await rig.journal.append({ ...draft, subject: draft.id, sessionId: 's1' });
	const { outbox } = open();
	await outbox.publishPending();
	await rig.whenSettled();
	const notes = rig.index.events('s1', { after: 1, limit: 10 }).map(({ id, unverified }) => [id, unverified]);
	expect(notes).toEqual([
		['n-1', undefined],
		['a-1', undefined],
	]);
	expect(rig.journal.unpublished(10)).toEqual([]);
});
