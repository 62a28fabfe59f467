import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FeatureProject, makeFeatureProject } from '../testing/feature-project.ts';
import { archiveFeature } from './archive-feature.ts';
import { sessionsOfFeature } from './feature-sessions.ts';
import { moveFeature, pauseFeature, resumeFeature } from './move-feature.ts';
import { newFeature, openFeature } from './open-feature.ts';
import { findFeature, listMarkdown, readDocument, readFeatures } from './read-features.ts';
import { pendingTasks, tickTask } from './tasks-document.ts';

/** Thousands of files on a slow disk take their time. */
const SLOW_DISK_MS = 120_000;

let rig: FeatureProject;
beforeEach(() => {
	rig = makeFeatureProject();
});
afterEach(() => rig.remove(), SLOW_DISK_MS);

test('R310 a new feature appears whole, in progress or in the backlog, and binds its session', () => {
	expect(newFeature(rig.project, 'a', rig, { workflow: 'quick', tasks: ['DEV', 'TEST'], sessionId: 's1' })).toEqual({
		ok: true,
		feature: 'a',
		path: 'specs/features/in-progress/a',
		how: 'created',
	});
	newFeature(rig.project, 'b', rig, { state: 'backlog' });
	expect(rig.tree()).toEqual([
		...['backlog/', 'backlog/b/', 'backlog/b/tasks.md', 'in-progress/', 'in-progress/a/', 'in-progress/a/tasks.md'],
	]);
	expect(rig.recorded('s1')).toMatchObject([
		{ type: 'specs:init', featureName: 'a', featurePath: 'specs/features/in-progress/a', workflowType: 'quick' },
	]);
	for (const name of ['a', 'b']) {
		expect(newFeature(rig.project, name, rig)).toMatchObject({ ok: false, code: 'feature/exists' });
	}
	expect(newFeature(rig.project, '../a', rig)).toMatchObject({ ok: false, code: 'feature/name' });
});

test('R310 a new feature that could not be recorded does not exist', () => {
	const append = () => {
		throw new Error('the disk is full');
	};
	expect(() => newFeature(rig.project, 'a', { ...rig, append }, { sessionId: 's1' })).toThrow('the disk is full');
	expect(rig.tree()).toEqual(['in-progress/']);
	expect(newFeature(rig.project, 'a', rig, { sessionId: 's1' })).toMatchObject({ ok: true, how: 'created' });
});

test('R311 pause and resume move the folder and its status, never onto another feature', () => {
	newFeature(rig.project, 'a', rig);
	expect(resumeFeature(rig.project, 'a')).toMatchObject({ ok: false, code: 'feature/state' });
	expect(pauseFeature(rig.project, 'a')).toMatchObject({ ok: true, path: 'specs/features/paused/a' });
	expect(rig.read('p/specs/features/paused/a/tasks.md')).toContain('status: paused\n');
	expect(pauseFeature(rig.project, 'a')).toMatchObject({ ok: false, code: 'feature/state' });
	expect(resumeFeature(rig.project, 'a')).toMatchObject({ ok: true, from: 'paused' });
	expect(rig.read('p/specs/features/in-progress/a/tasks.md')).toContain('status: in-progress\n');
	newFeature(rig.project, 'b', rig, { state: 'backlog' });
	expect(resumeFeature(rig.project, 'b')).toMatchObject({ ok: true, from: 'backlog' });
	rig.writeFile('p/specs/features/paused/b/own.md', 'another');
	expect(pauseFeature(rig.project, 'b')).toMatchObject({ ok: false, code: 'feature/exists' });
	expect(rig.read('p/specs/features/paused/b/own.md')).toBe('another');
	expect(moveFeature(rig.project, 'none', 'paused')).toMatchObject({ ok: false, code: 'feature/not-found' });
});

test('a workflow finds its feature in progress: made, moved in or left as it is', () => {
	expect(openFeature(rig.project, 'a', rig, { sessionId: 's1' })).toMatchObject({ how: 'created' });
	expect(openFeature(rig.project, 'a', rig, { sessionId: 's2' })).toMatchObject({ how: 'attached' });
	pauseFeature(rig.project, 'a');
	const resumed = { how: 'resumed', path: 'specs/features/in-progress/a' };
	expect(openFeature(rig.project, 'a', rig, { sessionId: 's3' })).toMatchObject(resumed);
	expect(openFeature(rig.project, 'A', rig)).toMatchObject({ ok: false, code: 'feature/name' });
	expect([...rig.recorded('s1'), ...rig.recorded('s3')].map(({ type }) => type)).toEqual([
		'specs:init',
		'specs:resume',
	]);
	expect(existsSync(join(rig.home, 'sessions/s2'))).toBe(false);
});

test('pending tasks are those of the named feature, else of the first in progress', () => {
	expect(pendingTasks(rig.project)).toBeNull();
	newFeature(rig.project, 'b', rig, { tasks: ['DEV', 'TEST'] });
	newFeature(rig.project, 'a', rig);
	newFeature(rig.project, 'c', rig, { state: 'backlog', tasks: ['DEV'] });
	expect(pendingTasks(rig.project)).toMatchObject({ feature: 'a', total: 0, message: null });
	const folder = join(rig.project, 'specs/features/in-progress/b');
	expect(tickTask(rig.project, folder, 'DEV')).toBe(true);
	expect(tickTask(rig.project, folder, 'DEV')).toBe(false);
	expect(pendingTasks(rig.project, 'b')).toMatchObject({ done: 1, total: 2, next: ['TEST'], more: 0 });
	for (const name of ['c', 'none', '../b', '']) expect(pendingTasks(rig.project, name)).toBeNull();
});

test('a session belongs to a feature by workflow.json or its events, but not one of another project', () => {
	const line = (sessionId: string, fields: object) => {
		mkdirSync(join(rig.home, 'sessions', sessionId), { recursive: true });
		appendFileSync(join(rig.home, 'sessions', sessionId, 'timeline.jsonl'), `\n${JSON.stringify(fields)}\n`);
	};
	line('foreign', { type: 'specs:init', featureName: 'a' });
	line('here', { type: 'session:start', cwd: join(rig.project, 'src') });
	line('here', { type: 'workflow:start', featureName: 'a' });
	line('elsewhere', { type: 'session:start', cwd: `${rig.project}-2` });
	line('elsewhere', { type: 'workflow:start', featureName: 'a' });
	line('talks', { type: 'prompt:submit', prompt: '"featureName":"a"', featureName: 'a' });
	line('other', { type: 'specs:init', featureName: 'ab' });
	line('large', { type: 'prompt:submit', prompt: 'x'.repeat(3_000_000) });
	line('large', { type: 'specs:init', featureName: 'a' });
	rig.writeFile('h/sessions/state/workflow.json', '{"featureName":"a"}');
	rig.writeFile('h/sessions/not a session/workflow.json', '{"featureName":"a"}');
	rig.writeFile('h/sessions/_home/workflow.json', '{"featureName":"a"}');
	mkdirSync(join(rig.home, 'sessions/folder/timeline.jsonl'), { recursive: true });
	const search = { home: rig.home, root: rig.project, feature: 'a', since: Number.NaN };
	expect(sessionsOfFeature(search)).toEqual(['foreign', 'here', 'large', 'state']);
	expect(sessionsOfFeature({ ...search, since: Date.now() + 10 * 86_400_000 })).toEqual(['state']);
	expect(sessionsOfFeature({ ...search, home: join(rig.home, 'none') })).toEqual([]);
});

test('features are listed by state, and hostile names, links and files are left out', () => {
	newFeature(rig.project, 'a', rig, { tasks: ['DEV'] });
	newFeature(rig.project, 'b', rig, { state: 'backlog' });
	newFeature(rig.project, 'c', rig, { workflow: 'quick' });
	archiveFeature(rig.project, 'c', rig);
	rig.writeFile('p/specs/features/in-progress/file', '');
	for (const name of ['__proto__', 'constructor', 'A B', '<img>', '.git', 'x'.repeat(200)]) {
		rig.writeFile(`p/specs/features/in-progress/${name}/tasks.md`, '- [ ] x');
		rig.writeFile(`p/specs/features/archive/${name}/tasks.md`, '- [ ] x');
	}
	expect(readFeatures(rig.project).map(({ state, folder, feature }) => [state, folder, feature])).toEqual([
		['in-progress', 'a', 'a'],
		['in-progress', 'constructor', 'constructor'],
		['backlog', 'b', 'b'],
		['archived', '2026-02-23_c', 'c'],
	]);
	expect(findFeature(rig.project, '2026-02-23_c')).toMatchObject({ state: 'archived', header: { workflow: 'quick' } });
	expect(findFeature(rig.project, 'c')).toBeUndefined();
	expect(findFeature(rig.project, '../a')).toBeUndefined();
	expect(readFeatures(join(rig.project, 'none'))).toEqual([]);
});

test('R316 documents are read in bounds and never through a link out of the project', () => {
	newFeature(rig.project, 'a', rig);
	rig.writeFile('p/specs/features/in-progress/a/design.md', '# D');
	rig.writeFile('p/specs/features/in-progress/a/logo.png', '');
	const found = findFeature(rig.project, 'a');
	if (!found) throw new Error('a is there');
	expect(listMarkdown(rig.project, found)).toEqual(['design.md', 'tasks.md']);
	expect(readDocument(rig.project, found, 'design.md')).toMatchObject({ ok: true, text: '# D' });
	rig.writeFile('secret', 's');
	expect(readDocument(rig.project, found, '../../../../../secret')).toMatchObject({ ok: false });
	expect(existsSync(join(rig.project, '../secret'))).toBe(true);
});

test('1,500 features are listed', { timeout: SLOW_DISK_MS }, () => {
	for (let n = 0; n < 1500; n++) {
		rig.writeFile(
			`p/specs/features/archive/2026-01-01_f-${n}/tasks.md`,
			'---\nstatus: archived\n---\n## Tasks\n- [x] DEV\n',
		);
	}
	const found = readFeatures(rig.project);
	expect(found).toHaveLength(1500);
	expect(found.every(({ tasks }) => tasks.done === 1)).toBe(true);
});
