import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Manifest } from '#lib/contract/archives/features.ts';
import { type FeatureProject, makeFeatureProject } from '../testing/feature-project.ts';
import { archiveFeature, recoverArchives } from './archive-feature.ts';
import { newFeature } from './open-feature.ts';

let rig: FeatureProject;
beforeEach(() => {
	rig = makeFeatureProject();
});
afterEach(() => rig.remove());

const archived = () => readdirSync(join(rig.project, 'specs/features/archive')).sort();

test('R305 a feature is archived with its date, status, documents, sessions and events', () => {
	newFeature(rig.project, 'user-login', rig, { workflow: 'standard', tasks: ['PLAN'], sessionId: 's1' });
	rig.writeFile('p/specs/features/in-progress/user-login/design.md', '# Design');
	rig.writeFile('p/specs/features/in-progress/user-login/notes/a.md', 'a');
	rig.clock.now += 60_000;
	const outcome = archiveFeature(rig.project, 'user-login', { ...rig, sessions: ['s2', '../x'] });
	expect(outcome).toMatchObject({ ok: true, folder: '2026-02-23_user-login', sessions: ['s1', 's2'] });
	expect(rig.tree()).toEqual([
		...['archive/', 'archive/2026-02-23_user-login/', 'archive/2026-02-23_user-login/design.md'],
		...['archive/2026-02-23_user-login/manifest.json', 'archive/2026-02-23_user-login/notes/'],
		...['archive/2026-02-23_user-login/notes/a.md', 'archive/2026-02-23_user-login/tasks.md', 'in-progress/'],
	]);
	const text = rig.read('p/specs/features/archive/2026-02-23_user-login/tasks.md');
	expect(text).toContain(
		'status: archived\nworkflow: standard\ncreated: 2026-02-23T14:00:00.000Z\narchivedAt: 2026-02-23T14:01:00.000Z\n---',
	);
	const manifest = Manifest.parse(JSON.parse(rig.read('p/specs/features/archive/2026-02-23_user-login/manifest.json')));
	expect(manifest.documents.map(({ name }) => name)).toEqual(['design.md', 'notes/a.md', 'tasks.md']);
	expect(manifest).toMatchObject({ feature: 'user-login', workflow: 'standard', complete: false });
	expect(JSON.stringify(manifest)).not.toContain(rig.project);
	for (const session of ['s1', 's2']) {
		expect(rig.recorded(session).at(-1)).toMatchObject({
			type: 'specs:archive',
			featureName: 'user-login',
			archivePath: 'specs/features/archive/2026-02-23_user-login',
		});
	}
});

test('R306 a clash gets the suffixes _2 and _3, and nothing is ever overwritten', () => {
	for (const folder of ['2026-02-23_user-login', '2026-02-23_user-login_2']) {
		newFeature(rig.project, 'user-login', rig);
		rig.writeFile('p/specs/features/in-progress/user-login/which.md', folder);
		expect(archiveFeature(rig.project, 'user-login', rig)).toMatchObject({ ok: true, folder });
	}
	writeFileSync(join(rig.project, 'specs/features/archive/2026-02-23_user-login_3'), 'a file in the way');
	newFeature(rig.project, 'user-login', rig);
	expect(archiveFeature(rig.project, 'user-login', rig)).toMatchObject({ folder: '2026-02-23_user-login_4' });
	expect(rig.read('p/specs/features/archive/2026-02-23_user-login/which.md')).toBe('2026-02-23_user-login');
	expect(rig.read('p/specs/features/archive/2026-02-23_user-login_2/which.md')).toBe('2026-02-23_user-login_2');
});

test('R306 timelines that were kept for a folder that is gone are not overwritten either', () => {
	newFeature(rig.project, 'a', rig);
	const first = archiveFeature(rig.project, 'a', rig);
	execFileSync('rm', ['-r', join(rig.project, 'specs/features/archive')]);
	newFeature(rig.project, 'a', rig);
	expect(archiveFeature(rig.project, 'a', rig)).toMatchObject({ folder: '2026-02-23_a_2' });
	expect(existsSync(join(rig.home, 'archive', first.ok ? first.id : '', 'origin.json'))).toBe(true);
});

test('a name that is none, an unknown feature and a document of ours in the way are refused; nothing changes', () => {
	newFeature(rig.project, 'a', rig);
	rig.writeFile('p/specs/features/in-progress/a/manifest.json', '{"name":"my app"}');
	const before = rig.tree();
	expect(archiveFeature(rig.project, 'a', rig)).toMatchObject({ ok: false, code: 'feature/state' });
	expect(archiveFeature(rig.project, 'b', rig)).toMatchObject({ ok: false, code: 'feature/not-found' });
	for (const name of ['../in-progress/a', 'a/..', '.', '', 'A', 'a\0', 'x'.repeat(101)]) {
		expect(archiveFeature(rig.project, name, rig)).toMatchObject({ ok: false, code: 'feature/name' });
	}
	expect(rig.tree().filter((path) => path !== 'archive/')).toEqual(before);
	expect(existsSync(join(rig.home, 'archive'))).toBe(false);
});

test.each([
	'specs',
	'specs/features',
	'specs/features/archive',
	'specs/features/in-progress',
	'specs/features/in-progress/a',
])('R308 with %s a link out of the project nothing is moved in or out', (link) => {
	const outside = join(rig.project, '../outside');
	mkdirSync(join(outside, 'features/in-progress/a'), { recursive: true });
	mkdirSync(join(outside, 'in-progress/a'), { recursive: true });
	mkdirSync(join(outside, 'a'), { recursive: true });
	if (link === 'specs/features/archive') newFeature(rig.project, 'a', rig);
	mkdirSync(join(rig.project, link, '..'), { recursive: true });
	symlinkSync(outside, join(rig.project, link));
	expect(archiveFeature(rig.project, 'a', rig)).toMatchObject({ ok: false });
	expect(newFeature(rig.project, 'b', rig).ok).toBe(link.endsWith('/archive') || link.endsWith('/a'));
	expect(existsSync(join(outside, 'b'))).toBe(false);
	expect(readdirSync(outside).sort()).toEqual(['a', 'features', 'in-progress']);
});

test('R308 a tasks.md that is a FIFO, a link or no UTF-8 is neither waited for nor changed', () => {
	newFeature(rig.project, 'fifo', rig);
	newFeature(rig.project, 'link', rig);
	newFeature(rig.project, 'bytes', rig);
	const at = (name: string) => join(rig.project, `specs/features/in-progress/${name}/tasks.md`);
	execFileSync('sh', ['-c', 'rm "$1" && mkfifo "$1"', 'sh', at('fifo')]);
	rig.writeFile('secret.md', '- [ ] secret');
	execFileSync('ln', ['-sf', join(rig.project, '../secret.md'), at('link')]);
	writeFileSync(at('bytes'), Buffer.from([0x2d, 0x20, 0x5b, 0x20, 0x5d, 0x20, 0xff, 0x0a]));
	for (const name of ['fifo', 'link', 'bytes'])
		expect(archiveFeature(rig.project, name, rig)).toMatchObject({ ok: true });
	expect(rig.read('secret.md')).toBe('- [ ] secret');
	expect(rig.read('p/specs/features/archive/2026-02-23_link/manifest.json')).not.toContain('tasks.md');
});

test('R309 killed before any change of the disk, a feature is here or there, whole, and recovery ends it', {
	timeout: 120_000,
}, () => {
	const program = join(rig.home, 'child.mjs');
	buildSync({
		entryPoints: [join(import.meta.dirname, '../testing/archive-child.ts')],
		outfile: program,
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'esm',
		logLevel: 'silent',
	});
	rig.append('s1', []);
	let killed = 0;
	for (let n = 1; ; n++) {
		const name = `f-${n}`;
		newFeature(rig.project, name, rig, { sessionId: 's1', tasks: ['DEV'] });
		const child = spawnSync(process.execPath, [program, rig.project, name, rig.home, String(rig.clock.now), String(n)]);
		const here = existsSync(join(rig.project, `specs/features/in-progress/${name}/tasks.md`));
		const there = existsSync(join(rig.project, `specs/features/archive/2026-02-23_${name}/tasks.md`));
		expect([n, here, there]).toEqual([n, !there, !here]);
		recoverArchives(rig);
		if (here) expect(archiveFeature(rig.project, name, rig)).toMatchObject({ ok: true, folder: `2026-02-23_${name}` });
		const folder = `p/specs/features/archive/2026-02-23_${name}`;
		expect(rig.read(`${folder}/tasks.md`)).toContain('status: archived');
		const manifest = Manifest.parse(JSON.parse(rig.read(`${folder}/manifest.json`)));
		expect(rig.read(`h/archive/${manifest.id}/origin.json`)).not.toContain('"by"');
		const events = rig.recorded('s1').filter((event) => event.type === 'specs:archive' && event.featureName === name);
		expect(new Set(events.map(({ id }) => id)).size).toBe(1);
		if (child.signal === null) break;
		expect(child.signal).toBe('SIGKILL');
		killed += 1;
	}
	expect(killed).toBeGreaterThan(8);
	expect(archived()).toHaveLength(killed + 1);
	rig.clock.now = Date.now() + 120_000;
	recoverArchives(rig);
	expect(readdirSync(join(rig.home, 'archive')).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('R309 a claim whose process lives is left to it', () => {
	newFeature(rig.project, 'a', rig);
	const outcome = archiveFeature(rig.project, 'a', rig);
	const origin = `h/archive/${outcome.ok && outcome.id}/origin.json`;
	const claim = JSON.parse(rig.read(origin));
	rig.writeFile(origin, JSON.stringify({ ...claim, by: { pid: 1, start: null } }));
	expect(recoverArchives(rig)).toEqual([]);
	rig.writeFile(origin, JSON.stringify({ ...claim, by: { pid: 1, start: '-' } }));
	expect(recoverArchives(rig)).toHaveLength(process.platform === 'linux' ? 1 : 0);
});

test('what the disk refuses is thrown, and the feature stays', () => {
	newFeature(rig.project, 'a', rig);
	mkdirSync(join(rig.project, 'specs/features/archive'));
	chmodSync(rig.home, 0o500);
	if (process.getuid?.() === 0) rig.writeFile('h/archive', 'no folder');
	expect(() => archiveFeature(rig.project, 'a', rig)).toThrow();
	chmodSync(rig.home, 0o700);
	expect(existsSync(join(rig.project, 'specs/features/in-progress/a/tasks.md'))).toBe(true);
});
