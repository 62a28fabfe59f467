import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createInitRig, type InitRig, putFile } from '../testing/init-rig.ts';

let root: string;
let project: string;
let out: string[];
let err: string[];
let rig: InitRig;
beforeEach(() => {
	rig = createInitRig();
	({ root, project, out, err } = rig);
});
const localPath = () => join(project, '.claude/settings.local.json');
const configPath = () => join(project, '.overtone/config.json');
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const run = (...args: string[]): Promise<number> => rig.run(['init', ...args]);

test('init --plugin writes the folder, enables it for this machine alone, guides sessions and lifts the cap', async () => {
	expect(await run('--plugin')).toBe(0);
	const folder = join(root, '.overtone/plugin');
	expect(readJson(localPath())).toEqual({
		extraKnownMarketplaces: { signalbox: { source: { source: 'directory', path: folder } } },
		enabledPlugins: { 'ot@signalbox': true },
		env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
	});
	expect(readJson(configPath())).toEqual({
		gates: { routing: { onMismatch: 'deny' } },
		workflow: { enabled: true },
	});
	expect(existsSync(join(project, '.claude/settings.json'))).toBe(false);
	expect(existsSync(join(folder, 'ot/skills/standard/SKILL.md'))).toBe(true);
	expect(existsSync(join(root, '.overtone/bin/hook.sh'))).toBe(true);
	out.length = 0;
	expect(await run('--plugin')).toBe(0);
	expect(out).toContain('Nothing to change.');
});

test('running it again renews the folder and takes out what an older version left', async () => {
	await run('--plugin');
	const skills = join(root, '.overtone/plugin/ot/skills');
	putFile(join(skills, 'old/SKILL.md'), 'old');
	putFile(join(skills, 'stop/SKILL.md'), 'old');
	putFile(join(root, '.overtone/config.json'), '{"approvals.holdSeconds": 40}');
	expect(await run('--plugin')).toBe(0);
	expect(existsSync(join(skills, 'old/SKILL.md'))).toBe(false);
	expect(readFileSync(join(skills, 'stop/SKILL.md'), 'utf8')).toContain('workflow stop');
	expect(readJson(join(root, '.overtone/plugin/ot/hooks/hooks.json')).hooks.PreToolUse[0].hooks[0].timeout).toBe(70);
});

test('--remove gives every file back as it was, and leaves nothing where nothing was', async () => {
	await run('--plugin');
	expect(await run('--remove')).toBe(0);
	expect(readdirSync(project)).toEqual([]);
	const local = '{"env": {"A": "b"},\n\n "enabledPlugins": {"x@y": true}}';
	putFile(localPath(), local);
	putFile(configPath(), '{"workflow": {}}\n');
	await run('--plugin');
	expect(readJson(localPath()).env).toEqual({ A: 'b', CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' });
	await run('--remove');
	expect(readFileSync(localPath(), 'utf8')).toBe(local);
	expect(readFileSync(configPath(), 'utf8')).toBe('{"workflow": {}}\n');
	expect(readdirSync(join(project, '.claude'))).toEqual(['settings.local.json']);
});

test('edits in between survive --remove, and an earlier choice is kept', async () => {
	putFile(localPath(), '{\n  "env": {\n    "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"\n  }\n}\n');
	putFile(configPath(), '{"workflow.enabled": false}');
	await run('--plugin');
	expect(readJson(localPath()).env).toEqual({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' });
	expect(readJson(configPath())).toMatchObject({ 'workflow.enabled': false });
	expect(readJson(configPath()).workflow).toBeUndefined();
	putFile(localPath(), readFileSync(localPath(), 'utf8').replace('{\n', '{\n  "model": "opus",\n'));
	await run('--remove');
	expect(readJson(localPath())).toEqual({ model: 'opus', env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' } });
	expect(readFileSync(configPath(), 'utf8')).toBe('{"workflow.enabled": false}');
});

test('entries and plugin are never registered together', async () => {
	await run();
	expect(await run('--plugin')).toBe(1);
	expect(err.join()).toContain('the same hooks are registered in');
	expect(existsSync(localPath())).toBe(false);
	expect(existsSync(join(root, '.overtone/plugin'))).toBe(false);
	await run('--remove');
	await run('--plugin');
	err.length = 0;
	expect(await run()).toBe(1);
	expect(err.join()).toContain('plugin is enabled in');
	await run('--remove');
	putFile(join(root, '.claude/settings.json'), '{"enabledPlugins": {"ot@signalbox": true}}');
	expect(await run('--plugin')).toBe(1);
	expect(readdirSync(project)).toEqual([]);
});

test('a local settings file that cannot be used is refused and stays', async () => {
	for (const damaged of ['{ "env": ', '{"enabledPlugins": 7}', '{"extraKnownMarketplaces": []}', '[]']) {
		putFile(localPath(), damaged);
		expect(await run('--plugin')).toBe(1);
		expect(err.join()).toContain('was not changed');
		expect(readFileSync(localPath(), 'utf8')).toBe(damaged);
		expect(existsSync(configPath())).toBe(false);
		expect(existsSync(join(root, '.overtone/plugin'))).toBe(false);
		err.length = 0;
	}
});

test('--plugin --print shows the local settings and writes nothing', async () => {
	expect(await run('--plugin', '--print')).toBe(0);
	expect(JSON.parse(out.join('\n'))).toMatchObject({ enabledPlugins: { 'ot@signalbox': true } });
	expect(readdirSync(project)).toEqual([]);
	expect(existsSync(join(root, '.overtone'))).toBe(false);
});
