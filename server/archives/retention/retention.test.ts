import { createHash } from 'node:crypto';
import {
	appendFileSync,
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { createLog } from '../../process/log.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { applyRetention, checkPlan, type PrunePorts, readPlan } from './apply-retention.ts';
import { createRetention } from './retention.ts';

const LARGE = createHash('sha256').update('large').digest('hex');
const YEAR = 365 * 24 * 60 * 60 * 1000;

let rig: FeaturesRig;
const copies: string[] = [];
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
	for (const folder of copies.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A year after everything was written. */
const retentionPorts = (home = rig.home, journal: PrunePorts['journal'] = rig.journal): PrunePorts => ({
	...{ home, journal, now: () => Date.now() + YEAR, projectRootOf: rig.ports.projectRootOf },
});
const policy = (retention: object) => rig.writeFile('h/config.json', JSON.stringify({ retention }));
/** Where only the files count. */
const noJournal: PrunePorts['journal'] = { append: async () => null, bySubject: () => [] };
const fail = (_what: string, error: unknown) => {
	throw error;
};

/** A session that worked on a feature, with a large value and a handoff, and has ended. */
function work(sessionId: string, feature: string): void {
	rig.say(sessionId, 'session:start', { cwd: rig.project });
	newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
	rig.say(sessionId, 'workflow:start', { workflowType: 'quick', stages: ['DEV'], featureName: feature });
	rig.writeFile(`h/sessions/${sessionId}/handoffs/DEV-to-TEST.md`, '## HANDOFF');
	rig.writeFile(`h/sessions/${sessionId}/blobs/${LARGE}`, 'large');
	rig.writeFile(`h/sessions/${sessionId}/observations.jsonl`, '{}\n');
	rig.writeFile(`h/sessions/${sessionId}/workflow.json`, '{}');
	rig.say(sessionId, 'session:end', {});
}

async function archive(feature: string): Promise<string> {
	const outcome = archiveFeature(rig.project, feature, { ...rig, append: rig.ports.append });
	if (!outcome.ok) throw new Error(outcome.detail);
	await rig.whenSettled();
	return outcome.id;
}

/** Every file below a home that retention may touch, with its digest. */
function files(home: string): Record<string, string> {
	const found: Record<string, string> = {};
	for (const part of ['sessions', 'archive', 'pruned', 'reels'])
		for (const name of existsSync(join(home, part)) ? readdirSync(join(home, part), { recursive: true }) : []) {
			const path = join(home, part, String(name));
			if (statSync(path).isFile())
				found[`${part}/${name}`] = createHash('sha256').update(readFileSync(path)).digest('hex');
		}
	return found;
}

test('R1893 what a session left in the home goes once its archive has it byte for byte; the journal has it first and its page finds the archive', async () => {
	work('s1', 'cart');
	rig.say('_home', 'session:start', {});
	const id = await archive('cart');
	policy({ sessionDays: 30 });
	const before = files(rig.home);
	const plan = await checkPlan(await readPlan(retentionPorts()), retentionPorts());
	expect(plan.remove).toMatchObject([{ what: 'session', id: 's1', archive: id, feature: 'cart', why: 'age' }]);
	expect(files(rig.home)).toEqual(before);
	const events = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });

	const done = await applyRetention(retentionPorts(), { by: 'command', failed: fail });
	expect([done.remove, done.bytes]).toEqual([plan.remove, plan.bytes]);
	const freed = Object.keys(before).filter((name) => files(rig.home)[name] === undefined);
	expect(freed.sort()).toEqual([
		`sessions/s1/blobs/${LARGE}`,
		'sessions/s1/handoffs/DEV-to-TEST.md',
		'sessions/s1/timeline.jsonl',
		'sessions/s1/workflow.json',
	]);
	expect(rig.journal.bySubject('session:s1')).toMatchObject([
		{ kind: 'archive:prune', sessionId: 's1', payload: { archive: id, by: { via: 'command' }, bytes: plan.bytes } },
	]);
	await rig.whenSettled();
	expect(rig.tail.viewOf('s1')).toBeUndefined();
	expect(await rig.replay.events(id, 's1', { after: 0, limit: 1000 })).toEqual(events);
	const service = createRetention({
		ports: retentionPorts(),
		whenCopied: rig.whenSettled,
		log: createLog(() => undefined),
	});
	expect(await service.archivesOf('s1')).toEqual({
		archives: [{ id, feature: 'cart' }],
		removedAt: expect.any(String),
	});
	expect(await service.archivesOf('nobody')).toEqual({ archives: [], removedAt: null });
	// The session goes on one day: nothing that was kept is lost.
	rig.say('s1', 'session:start', { cwd: rig.project });
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	const later = await rig.replay.events(id, 's1', { after: 0, limit: 1000 });
	expect(later.slice(0, events.length)).toEqual(events);
	expect(later.slice(events.length).map(({ type }) => type)).toEqual(['session:start', 'session:end']);
});

test('an archive goes whole, with its recording, and its documents in the project stay', async () => {
	work('s1', 'cart');
	const id = await archive('cart');
	await rig.replay.recording(id);
	policy({ archiveDays: 30 });
	const before = files(rig.home);
	const { bytes, remove } = await applyRetention(retentionPorts(), { by: 'command', failed: fail });
	expect(remove).toMatchObject([{ what: 'archive', id, why: 'age' }]);
	expect(bytes).toBeGreaterThan(0);
	const gone = Object.keys(before).filter((name) => files(rig.home)[name] === undefined);
	expect(gone.every((name) => name.startsWith(`archive/${id}/`) || name.startsWith(`reels/${id}/`))).toBe(true);
	expect(existsSync(join(rig.home, 'archive', id))).toBe(false);
	expect(existsSync(join(rig.home, 'reels', id))).toBe(false);
	expect(rig.tree()).toContain('archive/');
	expect((await rig.service.list()).map(({ name }) => name)).toEqual(['cart']);
	expect(await rig.service.detail(id)).toMatchObject({ manifest: null, removedAt: expect.any(String) });
	expect(rig.journal.bySubject(`archive:${id}`)).toMatchObject([{ kind: 'archive:prune' }]);
});

test('labelled, damaged, different, open or continued items stay, and are named with the reason', async () => {
	work('s1', 'cart');
	work('s2', 'shop');
	rig.say('s2', 'workflow:start', { workflowType: 'quick', stages: ['DEV'], featureName: 'next' });
	newFeature(rig.project, 'next', rig, { workflow: 'quick', tasks: ['DEV'], sessionId: 's2' });
	rig.say('s2', 'session:end', {});
	const [cart, shop] = [await archive('cart'), await archive('shop')];
	policy({ sessionDays: 30 });
	const keptNow = async () =>
		(await checkPlan(await readPlan(retentionPorts()), retentionPorts())).kept.map(({ id, because }) => [id, because]);
	expect(await keptNow()).toEqual([['s2', 'open-feature']]);
	await rig.close();
	appendFileSync(join(rig.home, 'sessions/s1/timeline.jsonl'), '\nmore\n');
	const offline = retentionPorts(rig.home, noJournal);
	const { kept } = await checkPlan(await readPlan(offline), offline);
	expect(kept.map(({ because }) => because).sort()).toEqual(['different', 'open-feature']);
	// The copier copies it again.
	rig = await openFeatures(rig);
	await rig.whenSettled();
	expect((await keptNow()).map(([id]) => id)).toEqual(['s2']);
	const bytes = readFileSync(join(rig.home, 'archive', cart, 's1.jsonl.gz'));
	rig.writeFile(`h/archive/${cart}/s1.jsonl.gz`, 'no gzip');
	expect(await keptNow()).toEqual(expect.arrayContaining([['s1', 'damaged']]));
	rig.writeFile(`h/archive/${cart}/s1.jsonl.gz`, bytes.toString('latin1'));
	policy({ archiveDays: 30 });
	const note = { labels: ['keep'], text: '', row: 'a', by: { role: 'operator', via: 'browser' } };
	await rig.journal.append({ id: 'n1', kind: 'note:add', subject: 'note s2', sessionId: 's2', payload: note });
	expect(await keptNow()).toEqual([
		[shop, 'labelled'],
		[cart, 'damaged'],
	]);
});

test('a death between any two steps loses nothing that was not named, and a second run ends it', async () => {
	work('s1', 'cart');
	work('s2', 'shop');
	const [cart] = [await archive('cart'), await archive('shop')];
	await rig.replay.recording(cart);
	// The one archive goes, the other keeps its session; that of the first stays, since nothing else has it.
	policy({ sessionDays: 30, projects: {} });
	await rig.close();
	const origin = JSON.parse(rig.read(`h/archive/${cart}/origin.json`));
	rig.writeFile('p2/.keep', '');
	rig.writeFile(`h/archive/${cart}/origin.json`, JSON.stringify({ ...origin, root: rig.project.replace(/p$/, 'p2') }));
	policy({ sessionDays: 30, projects: { [rig.project.replace(/p$/, 'p2')]: { archiveDays: 30 } } });

	async function run(dieAt: number): Promise<{ steps: number; home: string; dead: boolean }> {
		const home = mkdtempSync(join(tmpdir(), 'sbx-cut-'));
		copies.push(home);
		for (const part of ['sessions', 'archive', 'reels', 'config.json'])
			cpSync(join(rig.home, part), join(home, part), { recursive: true, preserveTimestamps: true });
		let steps = 0;
		const step = () => {
			steps += 1;
			if (steps === dieAt) throw new Error('dead');
		};
		const dead = await applyRetention(retentionPorts(home, noJournal), { by: 'command', failed: fail, step }).then(
			() => false,
			() => true,
		);
		return { steps, home, dead };
	}

	const whole = await run(0);
	const after = files(whole.home);
	expect(Object.keys(after)).toContain('sessions/s1/timeline.jsonl');
	expect(Object.keys(after)).not.toContain('sessions/s2/timeline.jsonl');
	expect(Object.keys(after).some((name) => name.includes(cart))).toBe(false);
	expect(whole.steps).toBeGreaterThan(6);
	for (let at = 1; at <= whole.steps; at += 1) {
		const cut = await run(at);
		expect(cut.dead).toBe(true);
		// What stays in the end is there at every moment.
		expect(files(cut.home)).toMatchObject(after);
		await applyRetention(retentionPorts(cut.home, noJournal), { by: 'command', failed: fail });
		expect(files(cut.home)).toEqual(after);
	}
	rig = await openFeatures(rig);
});

test('what is appended while a timeline goes is in the timeline again; one that was rewritten comes back whole', async () => {
	const changes: Record<string, (path: string) => void> = {
		s1: (path) => appendFileSync(path, '\n{"late":1}\n'),
		s2: (path) => writeFileSync(path, 'other\n'),
	};
	const asides: [string, string][] = [];
	for (const sessionId of Object.keys(changes)) {
		work(sessionId, `f-${sessionId}`);
		const id = await archive(`f-${sessionId}`);
		asides.push([sessionId, join(rig.home, 'pruned/sessions', id, `${sessionId}.jsonl`)]);
	}
	await rig.close();
	policy({ sessionDays: 30 });
	const failures: unknown[] = [];
	const changed = new Set<string>();
	const step = () => {
		for (const [sessionId, path] of asides) {
			if (changed.has(path) || !existsSync(path)) continue;
			changed.add(path);
			changes[sessionId]?.(path);
		}
	};
	await applyRetention(retentionPorts(rig.home, noJournal), {
		by: 'command',
		failed: (what) => failures.push(what),
		step,
	});
	const left = (sessionId: string) => readFileSync(join(rig.home, 'sessions', sessionId, 'timeline.jsonl'), 'utf8');
	expect([left('s1'), left('s2')]).toEqual(['\n{"late":1}\n', 'other\n']);
	expect(failures).toEqual(['session s2']);
	expect(asides.some(([, path]) => existsSync(path))).toBe(false);
	rig = await openFeatures(rig);
});

test('the server removes automatically only if the policy says so', async () => {
	work('s1', 'cart');
	await archive('cart');
	const start = async () => {
		const service = createRetention({
			ports: retentionPorts(),
			whenCopied: rig.whenSettled,
			log: createLog(() => undefined),
		});
		service.start();
		await service.whenSettled();
		await service.stop();
	};
	policy({ sessionDays: 30 });
	await start();
	expect(existsSync(join(rig.home, 'sessions/s1/timeline.jsonl'))).toBe(true);
	policy({ sessionDays: 30, automatic: true });
	await start();
	expect(existsSync(join(rig.home, 'sessions/s1/timeline.jsonl'))).toBe(false);
	expect(rig.journal.bySubject('session:s1')).toMatchObject([{ payload: { by: { via: 'policy' } } }]);
});
