import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	appendFileSync,
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { proofIn } from '../../timeline/tail/timeline-file.ts';
import { exportArchive } from './export-archive.ts';
import { verifyArchive } from './verify-archive.ts';

let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
}, 120_000);

/** The SHA-256 of "large". */
const LARGE = createHash('sha256').update('large').digest('hex');
const folder = (id: string) => join(rig.home, 'archive', id);
const timeline = (sessionId: string) => join(rig.home, 'sessions', sessionId, 'timeline.jsonl');

/** A session that works on a feature, denials and a failed stage included. */
function work(sessionId = 's1', feature = 'user-login'): void {
	rig.say(sessionId, 'session:start', { cwd: rig.project });
	rig.say(sessionId, 'stage:retry', { stage: 'DEV' });
	newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
	rig.say(sessionId, 'workflow:start', { workflowType: 'quick', stages: ['DEV', 'TEST'], featureName: feature });
	rig.say(sessionId, 'stage:complete', { stage: 'DEV', result: 'fail' });
	rig.say(sessionId, 'stage:retry', { stage: 'DEV' });
	rig.say(sessionId, 'stage:complete', { stage: 'DEV', result: 'pass' });
	rig.say(sessionId, 'stage:complete', { stage: 'TEST', result: 'pass' });
	rig.say(sessionId, 'command:block', { command: 'rm -rf /', reason: 'no', rule: 'destructive' });
}

async function archive(feature = 'user-login'): Promise<string> {
	const outcome = archiveFeature(rig.project, feature, { ...rig, append: rig.ports.append });
	if (!outcome.ok) throw new Error(outcome.detail);
	await rig.whenSettled();
	return outcome.id;
}

test('an archived feature keeps its timelines with digests and ranges, again until the session has ended', async () => {
	work();
	const id = await archive();
	const first = (await rig.service.detail(id)).manifest;
	expect(first).toMatchObject({ complete: false, sessions: [{ sessionId: 's1', ended: false }] });
	expect(gunzipSync(readFileSync(join(folder(id), 's1.jsonl.gz')))).toEqual(readFileSync(timeline('s1')));

	rig.say('s1', 'prompt:submit', { prompt: 'and then?', source: 'user' });
	rig.say('s1', 'session:end', { reason: 'exit' });
	await rig.whenSettled();
	const { manifest } = await rig.service.detail(id);
	const kept = manifest?.sessions[0]?.timelines[0];
	const bytes = readFileSync(timeline('s1'));
	expect(manifest).toMatchObject({ complete: true, sessions: [{ ended: true, timelines: [{ bytes: bytes.length }] }] });
	expect(gunzipSync(readFileSync(join(folder(id), 's1.jsonl.gz')))).toEqual(bytes);
	expect(kept?.ranges).toEqual([{ from: 0, to: bytes.length, sha256: kept?.sha256 }]);
	const part = manifest?.sessions[0]?.part;
	const lines = bytes.subarray(part?.from, part?.to).toString().trim().split('\n').filter(Boolean);
	expect([JSON.parse(lines[0] ?? '').type, JSON.parse(lines.at(-1) ?? '').type]).toEqual([
		'specs:init',
		'specs:archive',
	]);
	expect(JSON.parse(rig.read(`p/specs/features/archive/${manifest?.folder}/manifest.json`))).toEqual(manifest);
	expect(readdirSync(folder(id)).sort()).toEqual(['manifest.json', 'origin.json', 'outcome.json', 's1.jsonl.gz']);
});

test('a copy that another process makes of the same session is left alone; what a killed one left goes', async () => {
	work();
	const id = await archive();
	const draftOf = (pid: number | undefined) => join(folder(id), `.s1.${pid}.half`);
	const killed = spawnSync('true').pid;
	for (const pid of [process.ppid, killed]) writeFileSync(draftOf(pid), 'half a copy');
	rig.say('s1', 'session:end', { reason: 'exit' });
	await rig.whenSettled();
	expect(gunzipSync(readFileSync(join(folder(id), 's1.jsonl.gz')))).toEqual(readFileSync(timeline('s1')));
	expect(readFileSync(draftOf(process.ppid), 'utf8')).toBe('half a copy');
	expect(existsSync(draftOf(killed))).toBe(false);
});

test('others get their turn while a long kept timeline is read for a page', async () => {
	work();
	const promptLine = (index: number) => ({
		...rig.recorded('s1')[0],
		id: `line-${index}`,
		type: 'prompt:submit',
		prompt: 'x',
	});
	const grant = (id: string) => ({ ...promptLine(0), id, type: 'grant:expire', grantId: id });
	const lines = [grant('first'), ...Array.from({ length: 5000 }, (_, index) => promptLine(index)), grant('last')];
	appendFileSync(timeline('s1'), lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
	rig.say('s1', 'session:end', {});
	let turns = 0;
	const timer = setInterval(() => {
		turns += 1;
	}, 0);
	const seen: Record<string, number> = {};
	const find = vi.spyOn(rig.journal, 'find').mockImplementation((lineId) => {
		seen[lineId] = turns;
		return undefined;
	});
	const id = await archive();
	const [last] = await rig.replay.events(id, 's1', { after: 5000, limit: 1000 });
	clearInterval(timer);
	find.mockRestore();
	expect(last?.seq).toBe(5001);
	expect(seen.last).toBeGreaterThan(seen.first ?? Number.POSITIVE_INFINITY);
});

test('a session that continues after its end is copied again, also across restarts of the server', async () => {
	work();
	rig.say('s1', 'session:end', {});
	const id = await archive();
	expect((await rig.service.detail(id)).manifest?.complete).toBe(true);
	await rig.close();
	appendFileSync(timeline('s1'), `\n${JSON.stringify({ ...(rig.recorded('s1')[0] ?? {}), id: 'again' })}\n`);
	rig = await openFeatures(rig);
	await rig.whenSettled();
	const { manifest } = await rig.service.detail(id);
	expect(manifest?.complete).toBe(false);
	expect(gunzipSync(readFileSync(join(folder(id), 's1.jsonl.gz')))).toEqual(readFileSync(timeline('s1')));
});

test('of an archive that a hook made in haste the server finds the other sessions', async () => {
	work();
	rig.say('s2', 'session:start', { cwd: rig.project });
	rig.say('s2', 'workflow:start', { workflowType: 'quick', featureName: 'user-login' });
	await rig.close();
	const made = archiveFeature(rig.project, 'user-login', { ...rig, found: 'later', sessions: ['s1'] });
	expect(made).toMatchObject({ ok: true, sessions: ['s1'] });
	rig = await openFeatures(rig);
	await rig.whenSettled();
	const id = made.ok ? made.id : '';
	const kept = (await rig.service.detail(id)).manifest?.sessions.map(({ sessionId, timelines }) => [
		sessionId,
		timelines.length,
	]);
	expect(kept).toEqual([
		['s1', 1],
		['s2', 1],
	]);
	for (const session of ['s1', 's2']) {
		expect(rig.recorded(session).filter(({ type }) => type === 'specs:archive')).toHaveLength(1);
	}
	expect(rig.read(`h/archive/${id}/origin.json`)).not.toContain('searchDue');
});

test('a timeline that was trimmed or rewritten afterwards loses nothing that was kept', async () => {
	work();
	const id = await archive();
	const before = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	const lines = readFileSync(timeline('s1'), 'utf8').split('\n').filter(Boolean);
	writeFileSync(timeline('s1'), `${lines.slice(-2).join('\n')}\n`);
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	expect((await rig.service.detail(id)).manifest?.sessions[0]?.timelines.map(({ file }) => file)).toEqual([
		's1.jsonl.gz',
		's1.2.jsonl.gz',
	]);
	const events = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	expect(events.slice(0, before.length)).toEqual(before);
	expect(events.slice(before.length).map(({ type }) => type)).toEqual(['session:end']);
});

test('R319 archived events are those of the live session: the same ids, numbers, gaps and foreign lines', async () => {
	work();
	const foreign = JSON.stringify({
		ts: '2026-02-23T15:00:00Z',
		type: 'agent:delegate',
		category: 'agent',
		label: 'x',
		agent: 'a',
	});
	appendFileSync(timeline('s1'), `${foreign}\n${foreign}\nno json\n{"a":1}\n\n${foreign}\n`);
	appendFileSync(timeline('s1'), `${JSON.stringify({ blob: 'x'.repeat(1_100_000) })}\n`);
	rig.say('s1', 'approval:resolve', {
		approvalId: 'approval-1',
		decision: 'approve',
		by: { role: 'operator', via: 'token' },
	});
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const live = rig.index.events('s1', { after: 0, limit: 1000 });
	const kept = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	expect(kept).toEqual(live);
	expect(kept.some((event) => event.type === 'system:gap')).toBe(true);
	expect(kept.some((event) => event.unverified)).toBe(true);
	expect(await rig.replay.events(id, 's1', { after: 3, limit: 2 })).toEqual(live.slice(3, 5));
});

test('duration, retries, first passes, denials and overrides count what lies between binding and archiving', async () => {
	work();
	work('s2', 'other');
	rig.say('s1', 'session:end', {});
	const id = await archive();
	rig.say('s1', 'stage:retry', { stage: 'DEV' });
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	const [record] = (await rig.service.list()).filter((found) => found.id === id);
	expect(record).toMatchObject({ name: 'user-login', state: 'archived', workflow: 'quick', sessions: ['s1'] });
	expect(record?.outcome).toEqual({
		...{ durationMs: 6_000, idleMs: 0, retries: 1, passAt1: 0.5, denials: 1, overrides: 0 },
		spans: [expect.stringMatching(/^s1:\d+-\d+$/)],
	});
});

test('an archive needs neither the sessions folder nor the index nor the project', async () => {
	work();
	rig.writeFile('h/sessions/s1/handoffs/DEV-to-TEST.md', '## HANDOFF');
	rig.writeFile(`h/sessions/s1/blobs/${LARGE}`, 'large');
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const live = rig.index.events('s1', { after: 0, limit: 1000 });
	await rig.close();
	rmSync(join(rig.home, 'sessions'), { recursive: true });
	for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(rig.home, name), { force: true });
	rig = await openFeatures(rig);
	await rig.whenSettled();
	expect(await rig.replay.events(id, 's1', { after: 0, limit: 1000 })).toEqual(live);
	const detail = await rig.service.detail(id);
	expect(detail.handoffs).toEqual([{ sessionId: 's1', name: 'DEV-to-TEST.md', text: '## HANDOFF', cut: false }]);
	expect(detail.documents.map(({ name }) => name)).toEqual(['tasks.md']);
	const kept = (name: string) => rig.service.file(id, 's1', name);
	expect(String(await kept(`blobs/${LARGE}`))).toBe('large');
	expect(String(await kept('handoffs/DEV-to-TEST.md'))).toBe('## HANDOFF');
	expect(gunzipSync(readFileSync(join(folder(id), `files/s1/blobs/${LARGE}.gz`))).toString()).toBe('large');
	rmSync(join(rig.project, 'specs'), { recursive: true });
	expect(await rig.service.list()).toEqual([]);
	expect(await rig.replay.events(id, 's1', { after: 0, limit: 1 })).toHaveLength(1);
});

test('an archive is found again after its project was moved, by the id that it had, and is exported from there', async () => {
	work();
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const before = await rig.service.detail(id);
	const moved = `${rig.project}-moved`;
	cpSync(rig.project, `${rig.project}-clone`, { recursive: true });
	renameSync(rig.project, moved);
	expect(await rig.service.list()).toEqual([]);
	rig.say('s2', 'session:start', { cwd: moved });
	await rig.whenSettled();
	expect(await rig.service.list()).toMatchObject([{ id, sessions: ['s1'], project: basename(moved) }]);
	expect(await rig.service.detail(id)).toEqual({ ...before, feature: { ...before.feature, project: basename(moved) } });
	expect(readOrigin(rig.home, id)).toMatchObject({ root: moved });
	// A clone has the manifest as well, and no recording.
	rig.say('s3', 'session:start', { cwd: `${rig.project}-clone` });
	await rig.whenSettled();
	const ids = (await rig.service.list()).map((feature) => feature.id);
	expect(new Set(ids).size).toBe(2);
	expect((await rig.service.detail(ids.find((other) => other !== id) ?? '')).manifest).toBeNull();
});

test('a person pauses, resumes and archives; the journal has it first, and what does not fit changes nothing', async () => {
	work();
	await rig.whenSettled();
	const [live] = await rig.service.list();
	expect(live).toMatchObject({
		name: 'user-login',
		state: 'in-progress',
		tasks: { done: 0, total: 1 },
		sessions: ['s1'],
	});
	const id = live?.id ?? '';
	newFeature(rig.project, 'no-workflow', rig, { sessionId: 's1' });
	expect((await rig.service.detail(id.replace('user-login', 'no-workflow'))).feature.sessions).toEqual(['s1']);
	const by = { role: 'operator', via: 'browser' } as const;
	expect(await rig.service.act(id, 'pause', by)).toMatchObject({ id, state: 'paused' });
	await expect(rig.service.act(id, 'pause', by)).rejects.toMatchObject({ code: 'feature/state' });
	expect(await rig.service.act(id, 'resume', by)).toMatchObject({ state: 'in-progress' });
	const archived = await rig.service.act(id, 'archive', by);
	expect(archived).toMatchObject({ state: 'archived', archivedAt: new Date(rig.clock.now).toISOString() });
	await expect(rig.service.act(archived.id, 'resume', by)).rejects.toMatchObject({ code: 'feature/state' });
	await expect(rig.service.act(id, 'pause', by)).rejects.toMatchObject({ code: 'feature/not-found' });
	expect(rig.journal.bySubject(`feature:${id}`).map(({ payload }) => payload.action)).toEqual([
		...['pause', 'pause', 'resume', 'archive'],
	]);
	await rig.whenSettled();
	expect((await rig.service.detail(archived.id)).manifest?.sessions[0]?.timelines).toHaveLength(1);
});

test('a damaged archive is reported, harms no other, and a manifest that lies about its files opens nothing else', async () => {
	work();
	rig.say('s1', 'session:end', {});
	const id = await archive();
	writeFileSync(join(folder(id), 's1.jsonl.gz'), 'no gzip');
	await expect(rig.replay.events(id, 's1', { after: 0, limit: 1 })).rejects.toMatchObject({ code: 'archive/damaged' });
	await expect(rig.replay.events(id, 's2', { after: 0, limit: 1 })).rejects.toMatchObject({
		code: 'session/not-found',
	});
	// A small file that claims to hold a lot is not unpacked beyond what the manifest tells.
	writeFileSync(join(folder(id), 's1.jsonl.gz'), gzipSync(Buffer.alloc(100 * 1024 * 1024)));
	await expect(rig.replay.events(id, 's1', { after: 0, limit: 1 })).rejects.toMatchObject({ code: 'archive/damaged' });
	const manifest = JSON.parse(rig.read(`h/archive/${id}/manifest.json`));
	manifest.sessions[0].timelines[0].file = '../../journal.db';
	rig.writeFile(`h/archive/${id}/manifest.json`, JSON.stringify(manifest));
	await expect(rig.replay.events(id, 's1', { after: 0, limit: 1 })).rejects.toMatchObject({
		code: 'session/not-found',
	});
	expect((await rig.service.list()).map(({ name }) => name)).toEqual(['user-login']);
});

test('a kept timeline that was cut opens as far as it goes, ends in a gap, and is not exported', async () => {
	work();
	for (let at = 0; at < 500; at += 1) rig.say('s1', 'prompt:submit', { prompt: `${Math.sin(at)}`, source: 'user' });
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const whole = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	const path = join(folder(id), 's1.jsonl.gz');
	const bytes = readFileSync(path);
	writeFileSync(path, bytes.subarray(0, bytes.length / 2));
	expect(await verifyArchive(rig.home, id)).toMatch(/^timeline s1\.jsonl\.gz: cut after \d+ of \d+ bytes$/);
	const far = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	expect(far.length).toBeGreaterThan(100);
	expect(far.slice(0, -1)).toEqual(whole.slice(0, far.length - 1));
	expect(far.at(-1)).toMatchObject({ type: 'system:gap', reason: 'the archive was cut here' });
	const origin = readOrigin(rig.home, id);
	const { manifest } = await rig.service.detail(id);
	if (!origin || !manifest) throw new Error('no archive');
	const ports = { home: rig.home, proofOf: proofIn(rig.journal) };
	const job = exportArchive(join(rig.home, 'x.gz'), { origin, manifest, redacted: false }, ports);
	await expect(job).rejects.toMatchObject({ code: 'archive/damaged' });
});

test('the page of an imported archive says that it was imported', async () => {
	work();
	rig.say('s1', 'session:end', {});
	const id = await archive();
	expect(await rig.service.detail(id)).not.toHaveProperty('imported');
	rig.writeFile(`h/archive/${id}/origin.json`, JSON.stringify({ ...readOrigin(rig.home, id), imported: true }));
	expect(await rig.service.detail(id)).toMatchObject({ imported: true, feature: { id } });
});

test('the list of 1,500 features lets others work in between, and is not read twice', {
	timeout: 120_000,
}, async () => {
	rig.say('s1', 'session:start', { cwd: rig.project });
	for (let n = 0; n < 1500; n++) {
		rig.writeFile(
			`p/specs/features/archive/2026-01-01_f-${n}/tasks.md`,
			'---\narchivedAt: 2026-01-01\n---\n- [x] DEV\n',
		);
	}
	await rig.whenSettled();
	let turns = 0;
	let listing = true;
	const count = () => {
		turns += 1;
		if (listing) setImmediate(count);
	};
	setImmediate(count);
	const first = await rig.service.list();
	listing = false;
	expect(first).toHaveLength(1500);
	expect(turns).toBeGreaterThan(3);
	expect(await rig.service.list()).toEqual(first);
});

test('a pause and its end are recorded in each session of the feature, or in _home', async () => {
	work();
	const featureLines = (sessionId: string) =>
		readFileSync(timeline(sessionId), 'utf8')
			.split('\n')
			.filter((line) => /"specs:(?:pause|resume)"/.test(line))
			.map((line) => JSON.parse(line));
	await rig.whenSettled();
	const id = (await rig.service.list())[0]?.id ?? '';
	await rig.service.act(id, 'pause', { role: 'operator', via: 'browser' });
	await rig.service.act(id, 'resume', { role: 'operator', via: 'browser' });
	expect(featureLines('s1')).toMatchObject([
		{ type: 'specs:pause', featureName: 'user-login', featurePath: 'specs/features/paused/user-login' },
		{ type: 'specs:resume', featurePath: 'specs/features/in-progress/user-login' },
	]);
	newFeature(rig.project, 'alone', rig);
	await rig.service.act(id.replace('user-login', 'alone'), 'pause', { role: 'operator', via: 'browser' });
	expect(featureLines('_home')).toMatchObject([{ type: 'specs:pause', featureName: 'alone' }]);
});

test('a person makes a feature in a known project; the journal has it first', async () => {
	rig.say('s1', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
	const by = { role: 'operator', via: 'browser' } as const;
	const [project] = rig.service.projects();
	expect(project).toMatchObject({ name: 'p', root: rig.project });
	const wish = { project: project?.id ?? '', name: 'cart', workflow: 'standard', backlog: true } as const;
	expect(await rig.service.create(wish, by)).toMatchObject({
		name: 'cart',
		state: 'backlog',
		workflow: 'standard',
		tasks: { done: 0, total: 7 },
	});
	expect(rig.journal.bySubject(`feature:${project?.id}-cart`)).toMatchObject([{ payload: { action: 'new', by } }]);
	await expect(rig.service.create(wish, by)).rejects.toMatchObject({ code: 'feature/exists' });
	await expect(rig.service.create({ ...wish, name: '../x' }, by)).rejects.toMatchObject({ code: 'feature/name' });
	await expect(rig.service.create({ ...wish, project: '0'.repeat(12) }, by)).rejects.toMatchObject({
		code: 'feature/project',
	});
});

test('what lies beside a recording is served from the archive, only as it was recorded', async () => {
	work();
	rig.writeFile(`h/sessions/s1/blobs/${LARGE}`, 'large');
	rig.writeFile(`h/sessions/s1/blobs/${'b'.repeat(64)}`, 'not what its name says');
	rig.writeFile('h/sessions/s1/handoffs/TEST:2-to-RETRO.md', 'later');
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const kept = (name: string) => rig.service.file(id, 's1', name);
	expect(await verifyArchive(rig.home, id)).toBeNull();
	expect(String(await kept('handoffs/TEST:2-to-RETRO.md'))).toBe('later');
	await expect(kept(`blobs/${'b'.repeat(64)}`)).rejects.toMatchObject({ code: 'file/changed' });
	for (const name of ['blobs/none', 'timeline.jsonl', '../../journal.db']) {
		await expect(kept(name)).rejects.toMatchObject({ code: 'file/not-found' });
	}
	writeFileSync(join(folder(id), `files/s1/blobs/${LARGE}.gz`), 'no gzip');
	await expect(kept(`blobs/${LARGE}`)).rejects.toMatchObject({ code: 'file/changed' });
	expect(await verifyArchive(rig.home, id)).toBe(`file s1/blobs/${LARGE}`);
	const path = join(folder(id), 'manifest.json');
	writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`blobs/${LARGE}`, 'handoffs/../../../../journal.db'));
	await expect(kept('handoffs/../../../../journal.db')).rejects.toMatchObject({ code: 'file/not-found' });
});

test('files that an older version kept uncompressed are served as well', async () => {
	work();
	rig.writeFile(`h/sessions/s1/blobs/${LARGE}`, 'large');
	rig.say('s1', 'session:end', {});
	const id = await archive();
	const file = join(folder(id), `files/s1/blobs/${LARGE}`);
	writeFileSync(file, 'large');
	rmSync(`${file}.gz`);
	const path = join(folder(id), 'manifest.json');
	writeFileSync(path, readFileSync(path, 'utf8').replace(/,\s*"packed": ?true/g, ''));
	expect(String(await rig.service.file(id, 's1', `blobs/${LARGE}`))).toBe('large');
	expect(await verifyArchive(rig.home, id)).toBeNull();
});

test('an open feature shows the runs of its stages and the tokens of its models; its old id finds its archive', async () => {
	const counts = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
	const answer = (messageId: string) => ({ model: 'm', messageId, ...counts, costUsd: 1, source: 'transcript' });
	for (const [nth, sessionId] of ['s1', 's2'].entries()) {
		rig.say(sessionId, 'session:start', { cwd: rig.project });
		rig.say(sessionId, 'stage:start', { stage: 'BEFORE' });
		rig.say(sessionId, 'stage:complete', { stage: 'BEFORE', result: 'pass' });
		if (nth === 0) newFeature(rig.project, 'user-login', rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
		rig.say(sessionId, 'workflow:start', { workflowType: 'quick', stages: ['DEV'], featureName: 'user-login' });
		rig.say(sessionId, 'stage:start', { stage: 'DEV' });
		rig.say(sessionId, 'model:usage', answer(`m${nth}`));
	}
	rig.say('s1', 'stage:complete', { stage: 'DEV', result: 'fail' });
	await rig.whenSettled();
	const [record] = await rig.service.list();
	expect(record).toMatchObject({ sessions: ['s1', 's2'], usage: { answers: 2, costUsd: 2, inputTokens: 20 } });
	const open = record?.id ?? '';
	const { runs, feature } = await rig.service.detail(open);
	expect(feature.usage?.answers).toBe(2);
	expect(runs).toMatchObject([
		{ sessionId: 's1', stage: 'DEV', result: 'fail' },
		{ sessionId: 's2', stage: 'DEV', to: null },
	]);

	const id = await archive();
	expect(await rig.service.detail(open)).toMatchObject({ feature: { id, state: 'archived' }, runs: [] });
	await expect(rig.service.act(open, 'pause', { how: 'token', role: 'operator' } as never)).rejects.toMatchObject({
		code: 'feature/not-found',
	});
});
