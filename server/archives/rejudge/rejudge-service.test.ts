import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectHash } from '#hooks-bridge/features/feature-id.ts';
import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
import { readSettings } from '#lib/settings/settings.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { createRejudgeService } from './rejudge-service.ts';
import { createSettingsService } from './settings-service.ts';

let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
});

const by = { role: 'operator', via: 'browser' } as const;
const serviceOf = () => createRejudgeService({ index: rig.index, views: rig.tail.views, ports: rig.ports });
const settingsService = () =>
	createSettingsService({ home: rig.home, journal: rig.journal, projects: rig.service.projects });

/** A session in which `count` commands ran and one was denied. */
function history(sessionId: string, cwd: string, count: number): void {
	if (typeof commandPolicy.judgedBy === 'string') throw new Error('the policy judges by itself');
	rig.say(sessionId, 'session:start', { cwd });
	for (let index = 0; index < count; index += 1) {
		const call = { toolUseId: `${sessionId}-${index}`, tool: 'Bash' };
		rig.say(sessionId, 'tool:call', { ...call, input: { command: 'rm -rf build' } });
		rig.say(sessionId, 'tool:result', { ...call, response: 'ok' });
	}
	const call = { toolUseId: `${sessionId}-denied`, tool: 'Bash' };
	const verdict = commandPolicy.judgedBy.judge({ project: cwd, cwd, line: 'sudo x', exclude: ['sudo'] });
	rig.say(sessionId, 'tool:call', { ...call, input: { command: 'sudo x' } });
	rig.say(sessionId, 'gate:verdict', { ...call, hook: 'PreToolUse', ...verdict, durationMs: 1 });
}

test('history says how many denials settings would have added and spared, by session, project or all, and each changed call', async () => {
	const other = join(rig.home, 'elsewhere');
	mkdirSync(join(other, '.git'), { recursive: true });
	history('one', rig.project, 2);
	history('two', other, 1);
	await rig.whenSettled();
	const service = serviceOf();
	expect(await service.judge({ set: '{}' })).toMatchObject({
		sessions: 2,
		judged: 2,
		added: 0,
		spared: 0,
		changed: [],
	});
	const set = JSON.stringify({ 'commands.exclude': ['rm'] });
	const all = await service.judge({ set });
	expect(all).toMatchObject({ sessions: 2, added: 3, spared: 2, next: null });
	expect(all.changed).toContainEqual({
		...{ sessionId: 'one', toolUseId: 'one-0', before: 'pass', after: 'deny', rule: 'command.excluded', ran: true },
		title: 'rm -rf build',
		at: expect.any(String),
	});
	expect(await service.judge({ set, session: 'two' })).toMatchObject({ sessions: 1, added: 1, spared: 1 });
	expect(await service.judge({ set, project: projectHash(other) })).toMatchObject({ sessions: 1, added: 1 });
	expect(await service.judge({ set, before: 'one' })).toMatchObject({ sessions: 1, added: 1 });
	for (const wrong of ['[', '[]', '{"commands.exclude":"rm"}', '{"gates.none.enabled":true}'])
		await expect(service.judge({ set: wrong })).rejects.toMatchObject({ code: 'request/invalid' });
});

test('others get their turn while a long session is judged again', async () => {
	history('long', rig.project, 5000);
	await rig.whenSettled();
	let turns = 0;
	let going = true;
	const count = () => {
		turns += 1;
		if (going) setImmediate(count);
	};
	setImmediate(count);
	const { added } = await serviceOf().judge({ set: '{"commands.exclude":["rm"]}' });
	going = false;
	expect(added).toBe(5000);
	expect(turns).toBeGreaterThan(3);
});

test('R1661 what was tried is written into the home’s or a project’s file, whole, with the journal first; the rest of it stays', async () => {
	rig.say('one', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
	const service = settingsService();
	const file = join(rig.home, 'config.json');
	writeFileSync(file, '{\n\t"approvals": { "holdSeconds": 9 }\n}\n', { mode: 0o600 });
	const set = { 'commands.exclude': ['rm', 'sudo'], 'gates.routing.enabled': false };
	const wished = service.preview(set, undefined);
	expect(wished).toMatchObject({ file, before: readFileSync(file, 'utf8') });
	await service.write({ set, expect: wished.expect }, by);
	expect(readFileSync(file, 'utf8')).toBe(wished.after);
	const { commands, gates, holdSeconds } = readSettings(wished.after, undefined);
	expect([commands.exclude, gates.routing.enabled, holdSeconds]).toEqual([['rm', 'sudo'], false, 9]);
	expect(rig.journal.bySubject(`config:${file}`)).toMatchObject([{ kind: 'setting:change', payload: { set, by } }]);
	// If the file has changed since the preview, the change is refused and nothing is written.
	await expect(service.write({ set, expect: wished.expect }, by)).rejects.toMatchObject({ code: 'file/changed' });

	const project = projectHash(rig.project);
	const tighter = { 'commands.exclude': ['git'], 'gates.stageGuard.enabled': true };
	const shared = service.preview(tighter, project);
	await service.write({ set: tighter, project, expect: shared.expect }, by);
	expect(
		readSettings(undefined, readFileSync(join(rig.project, '.overtone/config.json'), 'utf8')).commands.exclude,
	).toEqual(['git']);
	expect(() => service.preview({ 'gates.routing.enabled': false }, project)).toThrow(/cannot switch a gate off/);
	expect(() => service.preview({ 'supervisor.maxIterations': 3 }, project)).toThrow(/home's file alone/);
	expect(() => service.preview({ 'supervisor.maxIterations': 1e9 }, undefined)).toThrow(/must be a whole number/);
	expect(() => service.preview(tighter, '0'.repeat(12))).toThrow(/project/);
	expect(() => service.preview({ 'approvals.observe': true }, undefined)).toThrow(/history can be asked/);
});

test('R2801 every gate can be switched in the home’s file, and the former content is restored byte for byte; a project’s file never loosens', async () => {
	rig.say('one', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
	const service = settingsService();
	const file = join(rig.home, 'config.json');
	for (const before of [
		'{\n\t"approvals": { "holdSeconds": 9 }\n}\n',
		'{ "gates": { "supervisor": { "enabled": true } } }',
	]) {
		writeFileSync(file, before);
		const set = { 'gates.supervisor.enabled': false };
		const { was } = await service.write({ set, expect: service.preview(set, undefined).expect }, by);
		expect(readSettings(readFileSync(file, 'utf8'), undefined).gates.supervisor.enabled).toBe(false);
		await service.write({ set: was, expect: service.preview(was, undefined).expect }, by);
		expect(readFileSync(file, 'utf8')).toBe(before);
	}
	expect(() => service.preview({ 'approvals.observe': null }, undefined)).toThrow(/history can be asked/);
	expect(() => service.preview({ 'gates.supervisor.enabled': null }, projectHash(rig.project))).toThrow(/nor say less/);
});

test('R1661 a flat key is changed in place; a file that cannot be read, or leads out of the project, is left alone', async () => {
	rig.say('one', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
	const service = settingsService();
	const file = join(rig.home, 'config.json');
	writeFileSync(file, '{"commands.exclude":["a"]}');
	expect(JSON.parse(service.preview({ 'commands.exclude': ['b'] }, undefined).after)).toEqual({
		'commands.exclude': ['b'],
	});
	writeFileSync(file, '{');
	expect(() => service.preview({ 'commands.exclude': ['b'] }, undefined)).toThrow(/was not changed/);
	expect(readFileSync(file, 'utf8')).toBe('{');
	const outside = join(rig.home, 'outside');
	mkdirSync(outside);
	symlinkSync(outside, join(rig.project, '.overtone'));
	expect(() => service.preview({ 'commands.exclude': ['b'] }, projectHash(rig.project))).toThrow(/leads out/);
	expect(existsSync(join(outside, 'config.json'))).toBe(false);
	chmodSync(outside, 0o700);
});
