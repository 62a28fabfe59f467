import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
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

const run = (...args: string[]): Promise<number> => rig.run(['init', ...args]);

/** Every file below a folder with its content, for comparing before and after. */
function snapshot(folder: string): Record<string, string> {
	const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return Object.fromEntries(
		paths.map((path) => [path, statSync(join(folder, path)).isFile() ? readFileSync(join(folder, path), 'utf8') : '/']),
	);
}

const settingsPath = () => join(project, '.claude/settings.json');
const configPath = () => join(project, '.overtone/config.json');

test('init in an empty project writes entries, config and hook; a second run changes nothing', async () => {
	expect(await run()).toBe(0);
	expect(JSON.parse(readFileSync(configPath(), 'utf8'))).toEqual({ gates: { routing: { onMismatch: 'deny' } } });
	const hook = join(root, '.overtone/bin/hook.sh');
	expect(statSync(hook).mode & 0o777).toBe(0o755);
	expect(existsSync(join(root, '.overtone/bin/hook.cjs'))).toBe(true);
	expect(existsSync(join(root, '.overtone/bin/hook-engine.cjs'))).toBe(true);
	const before = snapshot(root);
	expect(await run()).toBe(0);
	expect(out).toContain('Nothing to change.');
	expect(snapshot(root)).toEqual(before);
});

test('init links the node that runs the hook from then on', async () => {
	expect(await run()).toBe(0);
	expect(readlinkSync(join(root, '.overtone/bin/node'))).toBe(process.execPath);
});

test('init warns of a home whose door no server can open, and quotes the home to copy', async () => {
	const home = join(root, `my home${'/deeper'.repeat(20)}`);
	expect(await rig.run(['init'], { OVERTONE_HOME: home })).toBe(0);
	expect(err).toContainEqual(expect.stringContaining(`Start the agent with OVERTONE_HOME='${home}' as well`));
	expect(err).toContainEqual(
		expect.stringMatching(/^No server can start there: the socket path has \d+ bytes, at most 100/),
	);
});

test('--remove in a project that had nothing leaves nothing', async () => {
	await run();
	expect(await run('--remove')).toBe(0);
	expect(readdirSync(project)).toEqual([]);
});

test('init and --remove give every file back as it was, one backup in between', async () => {
	putFile(settingsPath(), '{"model":"opus",\n\n "hooks":{}}');
	putFile(join(project, '.claude/settings.local.json'), '{}');
	putFile(configPath(), '{\n\t"approvals": {"holdSeconds": 40},\n\t"gates": {}\n}\n');
	const before = snapshot(project);
	expect(await run()).toBe(0);
	const backup = `${settingsPath()}.signalbox-backup`;
	expect(readFileSync(backup, 'utf8')).toBe(before['.claude/settings.json']);
	const { hooks } = JSON.parse(readFileSync(settingsPath(), 'utf8'));
	expect(hooks.PreToolUse[0].hooks[0].timeout).toBe(70);
	await run();
	expect(readFileSync(backup, 'utf8')).toBe(before['.claude/settings.json']);
	expect(await run('--remove')).toBe(0);
	expect(snapshot(project)).toEqual(before);
});

test('an existing choice of onMismatch survives init and --remove', async () => {
	putFile(configPath(), '{"gates.routing.onMismatch": "stop"}');
	const before = snapshot(project);
	expect(await run()).toBe(0);
	expect(readFileSync(configPath(), 'utf8')).toBe('{"gates.routing.onMismatch": "stop"}');
	expect(err.join()).toContain("ends the agent's turn");
	await run('--remove');
	expect(snapshot(project)).toEqual(before);

	putFile(configPath(), '{"gates": {"routing": {"onMismatch": "deny"}}}');
	const denying = snapshot(project);
	await run();
	await run('--remove');
	expect(snapshot(project)).toEqual(denying);
});

test('what was edited after init survives --remove', async () => {
	putFile(settingsPath(), '{\n  "model": "opus"\n}\n');
	await run();
	putFile(settingsPath(), readFileSync(settingsPath(), 'utf8').replace('"opus"', '"haiku"'));
	await run('--remove');
	expect(readFileSync(settingsPath(), 'utf8')).toBe('{\n  "model": "haiku"\n}\n');
	expect(readdirSync(join(project, '.claude'))).toEqual(['settings.json']);
});

test('--print shows the result and writes nothing', async () => {
	putFile(settingsPath(), '{"model":"opus"}');
	const before = snapshot(root);
	expect(await run('--print')).toBe(0);
	expect(JSON.parse(out.join('\n'))).toMatchObject({ model: 'opus', hooks: { Stop: [{}] } });
	expect(snapshot(root)).toEqual(before);
});

test('a file that cannot be used is refused before anything is written', async () => {
	putFile(settingsPath(), '{ "hooks": ');
	const before = snapshot(root);
	expect(await run()).toBe(1);
	expect(err.join()).toContain('not valid JSON');
	putFile(settingsPath(), '{}');
	putFile(configPath(), '{"gates": 7}');
	expect(await run()).toBe(1);
	putFile(settingsPath(), before['shop/.claude/settings.json'] ?? '');
	rmSync(dirname(configPath()), { recursive: true });
	expect(snapshot(root)).toEqual(before);
});

const hostile: [string, string, () => void, RegExp][] = [
	['invalid UTF-8', 'settings', () => write(Buffer.from('{"model":"caf\xe9"}', 'latin1')), /not UTF-8 text/],
	['a byte order mark', 'settings', () => write('\ufeff{}'), /byte order mark/],
	['a folder', 'settings', () => mkdirSync(settingsPath(), { recursive: true }), /it is a folder/],
	['200,000 levels', 'settings', () => write(`{"a":${'['.repeat(2e5)}${']'.repeat(2e5)}}`), /500 levels deep/],
	['more than 1 MiB', 'settings', () => write(`{"a":"${'x'.repeat(1024 * 1024)}"}`), /larger than 1 MiB/],
	['a FIFO', 'settings', () => fifo(settingsPath()), /a pipe or device/],
	['a FIFO', 'config', () => fifo(configPath()), /a pipe or device/],
	['.claude as a file', 'project', () => putFile(join(project, '.claude'), 'mine'), /\.claude is not a folder/],
	['.overtone as a file', 'project', () => putFile(join(project, '.overtone'), 'mine'), /\.overtone is not a folder/],
];
const write = (content: string | Buffer) => {
	mkdirSync(dirname(settingsPath()), { recursive: true });
	writeFileSync(settingsPath(), content);
};
const fifo = (path: string) => {
	mkdirSync(dirname(path), { recursive: true });
	execFileSync('mkfifo', [path]);
};

test.each(hostile)('%s in place of the %s is refused with a reason, and stays', async (_what, _where, damage, why) => {
	damage();
	const paths = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
	const bytes = () => {
		const isFile = existsSync(settingsPath()) && statSync(settingsPath()).isFile();
		return isFile ? readFileSync(settingsPath(), 'latin1') : undefined;
	};
	const [pathsBefore, bytesBefore] = [paths(), bytes()];
	for (const args of [[], ['--print'], ['--remove']]) {
		expect(await run(...args)).toBe(1);
		expect(err.join()).toMatch(why);
		expect(err.join()).toMatch(/Correct (it|that) and run/);
		err.length = 0;
	}
	expect(paths()).toEqual(pathsBefore);
	expect(bytes()).toEqual(bytesBefore);
});

test('a folder that is a link to nowhere is found before anything is written', async () => {
	mkdirSync(join(project, '.claude'));
	symlinkSync(join(root, 'nowhere', 'at-all'), join(project, '.overtone'));
	expect(await run()).toBe(1);
	expect(err.join()).toContain('which does not exist');
	expect(readdirSync(join(project, '.claude'))).toEqual([]);
});

test('it refuses where the plugin or the user-level settings register the same', async () => {
	putFile(join(root, '.claude/settings.json'), '{"enabledPlugins": {"signalbox@market": true}}');
	expect(await run()).toBe(1);
	expect(err.join()).toContain('plugin is enabled');
	await run('--print', '--project', project);
	putFile(join(root, '.claude/settings.json'), '{"enabledPlugins": {"signalbox@market": false}}');
	await run();
	const registered = readFileSync(settingsPath(), 'utf8');
	await run('--remove');
	putFile(join(root, '.claude/settings.json'), registered);
	expect(await run()).toBe(1);
	expect(err.join()).toContain('the same hooks are registered in');
	expect(readdirSync(project)).toEqual([]);
});

test('a linked settings file stays a link, and a file keeps its mode', async () => {
	const real = join(root, 'dotfiles.json');
	putFile(real, '{}\n');
	chmodSync(real, 0o600);
	mkdirSync(join(project, '.claude'));
	symlinkSync(real, settingsPath());
	await run();
	expect(lstatSync(settingsPath()).isSymbolicLink()).toBe(true);
	expect(statSync(real).mode & 0o777).toBe(0o600);
	await run('--remove');
	expect(readFileSync(real, 'utf8')).toBe('{}\n');
});

test('a link that leads nowhere is refused and stays, through init and --remove', async () => {
	const target = join(root, 'gone.json');
	mkdirSync(join(project, '.claude'));
	symlinkSync(target, settingsPath());
	expect(await run()).toBe(1);
	expect(err.join()).toContain(`a link to ${target}, which does not exist`);
	expect(await run('--remove')).toBe(1);
	expect(lstatSync(settingsPath()).isSymbolicLink()).toBe(true);
	expect(existsSync(target)).toBe(false);
	expect(existsSync(configPath())).toBe(false);
});

test('a settings file that became a link after init stays one through --remove', async () => {
	await run();
	const moved = join(root, 'moved.json');
	renameSync(settingsPath(), moved);
	symlinkSync(moved, settingsPath());
	expect(await run('--remove')).toBe(0);
	expect(lstatSync(settingsPath()).isSymbolicLink()).toBe(true);
	expect(JSON.parse(readFileSync(moved, 'utf8'))).toEqual({});
});

const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const envIn = () => JSON.parse(readFileSync(settingsPath(), 'utf8')).env;

test.each([
	['the project guides its sessions', '.overtone/config.json', '{"workflow":{"enabled":true}}'],
	['the supervisor is on', '../.overtone/config.json', '{"gates.supervisor.enabled":true}'],
])('where %s the client’s cap of refused stops is lifted, and --remove takes it back', async (_, path, config) => {
	const before = '{\n  "env": { "OTHER": "1" }\n}\n';
	putFile(settingsPath(), before);
	putFile(join(project, path), config);
	expect(await run()).toBe(0);
	expect(envIn()).toEqual({ OTHER: '1', [CAP]: '0' });
	const text = readFileSync(settingsPath(), 'utf8');
	expect(await run()).toBe(0);
	expect(readFileSync(settingsPath(), 'utf8')).toBe(text);
	expect(await run('--remove')).toBe(0);
	expect(readFileSync(settingsPath(), 'utf8')).toBe(before);
});

test('an existing cap is kept, before and after; without the loop none is set; an edit in between survives', async () => {
	expect(await run()).toBe(0);
	expect(envIn()).toBeUndefined();
	putFile(join(project, '.overtone/config.json'), '{"workflow.enabled":true,"gates":{"loop":{"enabled":true}}}');
	expect(await run()).toBe(0);
	expect(envIn()).toEqual({ [CAP]: '0' });
	const edited = JSON.parse(readFileSync(settingsPath(), 'utf8'));
	putFile(settingsPath(), JSON.stringify({ ...edited, model: 'opus' }));
	expect(await run('--remove')).toBe(0);
	expect(JSON.parse(readFileSync(settingsPath(), 'utf8'))).toEqual({ model: 'opus' });
	const own = `{"env":{"${CAP}":"20"}}`;
	putFile(settingsPath(), own);
	expect(await run()).toBe(0);
	expect(envIn()).toEqual({ [CAP]: '20' });
	expect(await run('--remove')).toBe(0);
	expect(readFileSync(settingsPath(), 'utf8')).toBe(own);
});

test('--remove leaves the cap of a project in which nothing of ours is', async () => {
	const own = `{"env":{"${CAP}":"0"}}`;
	putFile(settingsPath(), own);
	expect(await run('--remove')).toBe(0);
	expect(readFileSync(settingsPath(), 'utf8')).toBe(own);
});

test('R436 --supervisor: its entry at Stop replaces the plain one, one for questions beside, no cap; removed whole', async () => {
	const original = '{\n  "env": {"A": "1"},\n  "model": "opus"\n}\n';
	putFile(settingsPath(), original);
	expect(await run()).toBe(0);
	expect(await run('--supervisor')).toBe(0);
	const read = () => JSON.parse(readFileSync(settingsPath(), 'utf8'));
	const { hooks, env } = read();
	expect(hooks.Stop).toMatchObject([{ hooks: [{ command: expect.stringMatching(/ supervisor 600$/), timeout: 600 }] }]);
	expect(hooks.PreToolUse).toMatchObject([
		{ matcher: '*', hooks: [{ command: expect.stringMatching(/ open 150$/) }] },
		{ matcher: 'AskUserQuestion', hooks: [{ command: expect.stringMatching(/ supervisor 600$/), timeout: 600 }] },
	]);
	expect(env).toEqual({ A: '1', CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' });
	const before = snapshot(root);
	expect(await run()).toBe(0);
	expect(await run('--supervisor')).toBe(0);
	expect(snapshot(root)).toEqual(before);
	expect(await run('--remove')).toBe(0);
	expect(readFileSync(settingsPath(), 'utf8')).toBe(original);
	expect(await run('--supervisor', '--plugin')).toBe(2);
});

test('where commands are excluded, the local settings get an entry that blocks when the hook fails', async () => {
	const localPath = join(project, '.claude/settings.local.json');
	const local = '{"permissions":{"allow":["Bash(ls)"]}}';
	putFile(localPath, local);
	putFile(join(root, '.overtone/config.json'), '{"commands":{"exclude":["rm"]}}');
	expect(await run()).toBe(0);
	const { hooks } = JSON.parse(readFileSync(localPath, 'utf8'));
	expect(hooks.PreToolUse).toEqual([
		{
			matcher: 'Bash',
			hooks: [
				{
					type: 'command',
					command: expect.stringMatching(/\|\| exit 2; exit 0; \}\ndeny\(\) .*"deny"[\s\S]*\nask closed 150$/),
					timeout: 150,
					onFailure: 'block',
				},
			],
		},
	]);
	const first = readFileSync(localPath, 'utf8');
	expect(await run()).toBe(0);
	expect(readFileSync(localPath, 'utf8')).toBe(first);
	expect(await run('--remove')).toBe(0);
	expect(readFileSync(localPath, 'utf8')).toBe(local);
	expect(existsSync(`${localPath}.signalbox-backup`)).toBe(false);
});

test('if lines run in the sandbox, the client is set to ask about neither the entry nor the exit behind it', async () => {
	const localPath = join(project, '.claude/settings.local.json');
	const config = join(root, '.overtone/config.json');
	const rules = () => JSON.parse(readFileSync(localPath, 'utf8')).permissions;
	const enforce = (how: string) => putFile(config, `{"commands":{"exclude":["rm"],"enforce":"${how}"}}`);
	const ours = [`Bash(${root}/.overtone/bin/enter-sandbox.sh:*)`, 'Bash(exit)'];
	for (const local of [
		undefined,
		'{}',
		'{"permissions":{"allow":["Bash(exit)"]}}',
		'{"permissions":{"deny":["Bash(rm)"]}}',
	]) {
		enforce('sandbox');
		if (local !== undefined) putFile(localPath, local);
		expect(await run()).toBe(0);
		expect(rules().allow).toEqual(local?.includes('exit') ? ['Bash(exit)', ours[0]] : ours);
		const first = readFileSync(localPath, 'utf8');
		expect(await run()).toBe(0);
		expect(readFileSync(localPath, 'utf8')).toBe(first);
		enforce('judge');
		expect(await run()).toBe(0);
		expect(rules()).toEqual(local === undefined ? undefined : JSON.parse(local).permissions);
		enforce('sandbox');
		expect(await run()).toBe(0);
		expect(await run('--remove')).toBe(0);
		expect(existsSync(localPath) ? readFileSync(localPath, 'utf8') : undefined).toBe(local);
	}
});

test('the entry goes when nothing is excluded any more, and a file of its own goes with it', async () => {
	const localPath = join(project, '.claude/settings.local.json');
	putFile(join(project, '.overtone/config.json'), '{"commands":{"exclude":["rm"]}}');
	await run();
	expect(existsSync(localPath)).toBe(true);
	await run('--remove');
	expect(existsSync(localPath)).toBe(false);
	await run();
	const config = join(project, '.overtone/config.json');
	putFile(config, readFileSync(config, 'utf8').replace('"rm"', ''));
	await run();
	expect(JSON.parse(readFileSync(localPath, 'utf8')).hooks?.PreToolUse).toBeUndefined();
});
