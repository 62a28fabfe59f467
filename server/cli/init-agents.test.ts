import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
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

const run = (...args: string[]): Promise<number> => rig.run(args, { PATH: join(root, 'programs') });
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const claude = () => existsSync(join(project, '.claude/settings.json'));

describe('init registers the hooks of the named clients, else of those that are used here', () => {
	test('Codex: in seconds, with its name, ending well whatever becomes of the hook', async () => {
		expect(await run('init', '--agent', 'codex')).toBe(0);
		const { hooks } = readJson('.codex/hooks.json');
		expect(Object.keys(hooks)).toContain('Interrupt');
		expect(hooks.PreToolUse).toEqual([
			{
				hooks: [{ type: 'command', command: expect.stringMatching(/"\$h" open 150 codex \|\| exit 0$/), timeout: 150 }],
			},
		]);
		expect(hooks.SessionEnd[0].hooks[0]).toMatchObject({
			command: expect.stringContaining('observe 15 codex'),
			timeout: 15,
		});
		expect(err.join()).toContain('trust them with /hooks');
		expect(readJson('shop/.overtone/config.json')).toEqual({ gates: { routing: { onMismatch: 'deny' } } });
		expect(existsSync(join(root, '.overtone/bin/hook.sh'))).toBe(true);
		expect(claude()).toBe(false);
		out.length = 0;
		await run('doctor');
		expect(out.join('\n')).toMatch(/- +hooks registered +none of Claude Code in this project, only of Codex/);
	});

	test('Gemini in milliseconds and only the events that mean something; Qwen within its own limit; Copilot in a file of ours', async () => {
		expect(await run('init', '--agent', 'gemini,qwen', '--agent', 'copilot')).toBe(0);
		const gemini = readJson('.gemini/settings.json').hooks;
		expect(gemini.BeforeTool[0].hooks[0]).toMatchObject({
			timeout: 150_000,
			command: expect.stringContaining('open 150 gemini'),
		});
		expect(Object.keys(gemini)).not.toContain('BeforeModel');
		expect(readJson('.qwen/settings.json').hooks.PreToolUse[0].hooks[0]).toMatchObject({ timeout: 60 });
		const copilot = readJson('.copilot/hooks/signalbox.json');
		expect(copilot).toMatchObject({ version: 1, hooks: { preToolUse: [{ type: 'command', timeoutSec: 150 }] } });
	});

	test('Cursor: in its own shape; a file with hooks of others is refused with the entries to put in, and lost nothing', async () => {
		expect(await run('init', '--agent', 'cursor')).toBe(0);
		const { version, hooks } = readJson('.cursor/hooks.json');
		expect(version).toBe(1);
		expect(hooks.preToolUse).toEqual([{ command: expect.stringContaining('open 150 cursor || exit 0'), timeout: 150 }]);
		expect(hooks.stop[0]).toMatchObject({ loop_limit: null });
		expect(await run('init', '--agent', 'cursor')).toBe(0);

		const mine = { ...hooks, stop: [...hooks.stop, { command: './tell-me.sh' }] };
		const text = JSON.stringify({ version, hooks: mine });
		putFile(join(root, '.cursor/hooks.json'), text);
		expect(await run('init', '--agent', 'cursor')).toBe(1);
		expect(err.join()).toContain('contains hooks that are not ours. Add these entries by hand');
		expect(await run('init', '--agent', 'cursor', '--remove')).toBe(1);
		expect(readFileSync(join(root, '.cursor/hooks.json'), 'utf8')).toBe(text);
		putFile(join(root, '.cursor/hooks.json'), JSON.stringify({ version, hooks }));
		expect(await run('init', '--agent', 'cursor', '--remove')).toBe(0);
		expect(existsSync(join(root, '.cursor/hooks.json'))).toBe(false);
	});

	test.each([
		['a prompt', { hooks: { beforeShellExecution: [{ type: 'prompt', prompt: 'never rm' }] } }],
		['an address', { hooks: { preToolUse: [{ type: 'http', url: 'http://127.0.0.1:1' }] } }],
		['a setting', { hooks: {}, mine: 1 }],
		['entries of another shape', { hooks: ['mine'] }],
	])('a file written as a whole is left alone where it holds %s of its person', async (_what, mine) => {
		for (const [agent, file] of [
			['cursor', '.cursor/hooks.json'],
			['copilot', '.copilot/hooks/signalbox.json'],
		] as const) {
			const path = join(root, file);
			putFile(path, JSON.stringify({ version: 1, ...mine }));
			expect(await run('init', '--agent', agent), agent).toBe(1);
			expect(readJson(file)).toEqual({ version: 1, ...mine });
			putFile(path, '{"version":1,"hooks":{}}');
			expect(await run('init', '--agent', agent), agent).toBe(0);
			const ours = readJson(file);
			const both = {
				...ours,
				...mine,
				hooks: Array.isArray(mine.hooks) ? mine.hooks : { ...ours.hooks, ...mine.hooks },
			};
			putFile(path, JSON.stringify(both));
			await run('init', '--agent', agent, '--remove');
			expect(readJson(file)).toEqual(both);
		}
	});

	test('without --agent the clients whose folder exists are registered, else Claude Code', async () => {
		await run('init');
		expect(claude()).toBe(true);
		await run('init', '--remove');
		mkdirSync(join(root, '.gemini'));
		mkdirSync(join(project, '.codex'));
		expect(await run('init')).toBe(0);
		expect([
			claude(),
			existsSync(join(root, '.gemini/settings.json')),
			existsSync(join(root, '.codex/hooks.json')),
		]).toEqual([false, true, true]);
		putFile(join(root, 'programs/claude'), '#!/bin/sh\necho 2.1.330\n', 0o755);
		await run('init');
		expect(claude()).toBe(true);
	});

	test('an unknown client name is answered with the known ones; the plugin is Claude Code’s alone', async () => {
		expect(await run('init', '--agent', 'codxe')).toBe(2);
		expect(err.join()).toContain('Unknown client "codxe". --agent must be one of: claude-code, codex, gemini');
		expect(await run('init', '--agent', 'codex', '--plugin')).toBe(2);
		expect(existsSync(join(root, '.codex'))).toBe(false);
	});

	test('--print shows each file under its name and writes nothing', async () => {
		expect(await run('init', '--agent', 'codex', '--print')).toBe(0);
		expect(JSON.parse(out.join('\n')).hooks.Stop).toHaveLength(1);
		out.length = 0;
		await run('init', '--agent', 'codex,claude-code', '--print');
		expect(out.filter((line) => line.startsWith('# '))).toEqual([
			`# ${root}/.codex/hooks.json`,
			`# ${project}/.claude/settings.json`,
		]);
		expect([existsSync(join(root, '.codex')), claude()]).toEqual([false, false]);
	});
});

describe('other entries of a make’s file stay as they are', () => {
	test('byte for byte beside ours, and after --remove; a second run changes nothing', async () => {
		const own = '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]},\n  "x": [1,2]\n}\n';
		putFile(join(root, '.codex/hooks.json'), own);
		await run('init', '--agent', 'codex');
		expect(readJson('.codex/hooks.json')).toMatchObject({
			x: [1, 2],
			hooks: { Stop: [{ hooks: [{ command: 'mine' }] }, {}] },
		});
		out.length = 0;
		await run('init', '--agent', 'codex');
		expect(out).toContain('Nothing to change.');
		expect(await run('init', '--remove')).toBe(0);
		expect(readFileSync(join(root, '.codex/hooks.json'), 'utf8')).toBe(own);
		expect(existsSync(join(root, '.codex/hooks.json.signalbox-backup'))).toBe(false);
	});

	test('the backup of a file that only its person can read is theirs alone', async () => {
		const path = join(root, '.gemini/settings.json');
		putFile(path, '{"apiKey": "secret"}', 0o600);
		await run('init', '--agent', 'gemini', '--telemetry');
		expect([path, `${path}.signalbox-backup`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
	});

	test('--remove leaves nothing where nothing was', async () => {
		await run('init', '--agent', 'codex,copilot,qwen');
		expect(await run('init', '--remove')).toBe(0);
		for (const path of ['.codex/hooks.json', '.copilot/hooks', '.qwen/settings.json', 'shop/.overtone/config.json']) {
			expect(existsSync(join(root, path)), path).toBe(false);
		}
	});

	test('a file that cannot be used is refused before anything is written', async () => {
		putFile(join(root, '.qwen/settings.json'), '{ "hooks": ');
		expect(await run('init', '--agent', 'codex,qwen')).toBe(1);
		expect(err.join()).toContain('.qwen/settings.json was not changed');
		expect([existsSync(join(root, '.codex')), existsSync(join(root, '.overtone'))]).toEqual([false, false]);
	});

	test('without a named client a settings file that cannot be used is reported, and the other clients are registered', async () => {
		putFile(join(root, '.gemini/settings.json'), '{ // mine\n}');
		mkdirSync(join(root, '.claude'));
		expect(await run('init')).toBe(0);
		expect(err.join()).toContain('.gemini/settings.json was not changed');
		expect([claude(), readFileSync(join(root, '.gemini/settings.json'), 'utf8')]).toEqual([true, '{ // mine\n}']);
		expect(await run('init', '--remove')).toBe(0);
		expect(claude()).toBe(false);
	});
});

describe('where commands are excluded, the entry for calls of another make is fail-closed', () => {
	const exclude = (path: string) => putFile(path, '{"commands": {"exclude": ["rm"]}}');
	const commandOf = (file: string, event: string) => readJson(file).hooks[event][0].hooks[0].command as string;

	test('by a project or by the home; another project that excludes nothing does not open it, and --remove takes it back', async () => {
		exclude(join(project, '.overtone/config.json'));
		expect(await run('init', '--agent', 'codex,copilot,opencode')).toBe(0);
		expect(commandOf('.codex/hooks.json', 'PreToolUse')).toMatch(/ask closed 147$/);
		expect(commandOf('.codex/hooks.json', 'PostToolUse')).toMatch(/observe 15 codex \|\| exit 0$/);
		expect(readJson('.copilot/hooks/signalbox.json').hooks.preToolUse[0].bash).toMatch(/ask closed 147$/);
		expect(err.join()).toContain('With Codex, a call that cannot be judged is denied in every project');
		putFile(join(project, '.overtone/config.json'), '{}');
		expect(await run('init', '--agent', 'codex,opencode')).toBe(0);
		expect(commandOf('.codex/hooks.json', 'PreToolUse')).toMatch(/ask closed 147$/);
		expect(readFileSync(join(root, '.config/opencode/plugins/signalbox.js'), 'utf8')).toContain('ask closed 147');
		await run('init', '--remove', '--agent', 'codex,opencode');
		expect(existsSync(join(root, '.codex/hooks.json'))).toBe(false);
		await run('init', '--agent', 'codex');
		expect(commandOf('.codex/hooks.json', 'PreToolUse')).toMatch(/open 150 codex \|\| exit 0$/);
	});

	test('doctor says where an entry lets calls run although commands are excluded, and where none can hold', async () => {
		await run('init', '--agent', 'qwen,cursor');
		exclude(join(root, '.overtone/config.json'));
		await run('doctor');
		const line = (name: string) => out.find((text) => new RegExp(`^\\S+ +${name} `).test(text)) ?? '';
		expect(line('qwen')).toMatch(/^WRONG .*commands are excluded, but the hooks in .* let a call run when they fail/);
		expect(line('cursor')).toMatch(/^warn .*a call whose hook fails runs.*but commands are excluded/);
		await run('init', '--agent', 'qwen,cursor');
		expect(err.join()).toContain('With Cursor, a call whose hook fails runs, even an excluded command');
		out.length = 0;
		await run('doctor');
		expect(line('qwen')).toMatch(/^ok .*a call that cannot be judged is denied$/);
	});
});

test('agents lists every make: where it was found, its version, its hooks, and what it can and cannot do', async () => {
	putFile(join(root, 'programs/codex'), '#!/bin/sh\necho codex-cli 0.169.0\n', 0o755);
	await run('init', '--agent', 'codex');
	out.length = 0;
	expect(await run('agents', '--json')).toBe(0);
	const { agents } = JSON.parse(out.join(''));
	const of = (name: string) => agents.find((agent: { name: string }) => agent.name === name);
	expect(of('codex')).toMatchObject({
		title: 'Codex',
		found: [join(root, 'programs/codex'), join(root, '.codex')],
		version: '0.169.0',
		installed: 'yes',
		can: { deny: true, ask: false },
		limits: [expect.stringContaining('not trusted'), expect.anything(), expect.anything()],
	});
	expect(of('claude-code')).toMatchObject({ found: [], installed: 'no' });
	out.length = 0;
	putFile(join(root, '.codex/hooks.json'), readFileSync(join(root, '.codex/hooks.json'), 'utf8').replace('150', '149'));
	expect(await run('agents')).toBe(0);
	const text = out.join('\n');
	expect(text).toContain('Codex (codex): 0.169.0, hooks of another version');
	expect(text).toContain(
		'cannot: end the agent’s turn, have the person at the terminal asked, let a call run without a prompt',
	);
	expect(text).toContain('Gemini CLI (gemini): not found');
});

test('doctor reports the state of each other client found here', async () => {
	putFile(join(root, 'programs/codex'), '#!/bin/sh\necho codex-cli 0.169.0\n', 0o755);
	mkdirSync(join(root, '.gemini'));
	await run('init', '--agent', 'codex,copilot,claude-code');
	out.length = 0;
	await run('doctor');
	const line = (name: string) => out.find((text) => new RegExp(`^\\S+ +${name} `).test(text)) ?? '';
	expect(line('codex')).toMatch(
		/^WRONG .*the hooks in .*\.codex\/hooks\.json are not trusted yet: the client skips them/,
	);
	const key = `${root}/.codex/hooks.json:pre_tool_use:0:0`;
	putFile(join(root, '.codex/config.toml'), `[hooks.state."${key}"]\ntrusted_hash = "sha256:1"\n`);
	out.length = 0;
	await run('doctor');
	expect(line('codex')).toMatch(
		/^ok .*Codex 0\.169\.0, hooks in .*\.codex\/hooks\.json; a call whose hook fails runs$/,
	);
	expect(line('gemini')).toMatch(/^- .*Gemini CLI is here, without hooks$/);
	expect(line('copilot')).toMatch(/^ok .*Copilot CLI, hooks in/);
	expect(out.join('\n')).not.toContain('registered twice');
	expect(line('qwen')).toBe('');
	putFile(
		join(root, '.codex/hooks.json'),
		'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "~/.overtone/bin/hook.sh open 1 codex"}]}]}}',
	);
	out.length = 0;
	await run('doctor');
	expect(line('codex')).toMatch(/^WRONG .*of another version or were edited$/);
	putFile(join(root, 'shop/.overtone/config.json'), '{"commands": {"exclude": ["rm"]}}');
	await run('init', '--agent', 'copilot,claude-code');
	out.length = 0;
	await run('doctor');
	expect(out.join('\n')).toMatch(/^- +copilot, registered twice +.*the fail-closed entry/m);
});
