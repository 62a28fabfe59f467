import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatch } from './dispatch.ts';

const files = vi.hoisted(() => ({ built: '' }));
vi.mock('./distribution.ts', async (original) => ({
	...(await original<typeof import('./distribution.ts')>()),
	builtFile: (name: string) => `${files.built}/${name}`,
}));

const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';

let root: string;
let out: string[];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'sbx-doc-'));
	files.built = join(root, 'dist');
	put('dist/hook.sh', `#!/bin/sh\ncat > "\${OVERTONE_HOME}/seen.json"\nprintf '%s' '${DENY}'\n`);
	put('dist/hook.cjs', '');
	put('dist/hook-commands.cjs', '');
	put('dist/hook-engine.cjs', '');
	mkdirSync(join(root, 'shop'));
	claude('2.1.330');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(relative: string, text: string): void {
	mkdirSync(dirname(join(root, relative)), { recursive: true });
	writeFileSync(join(root, relative), text);
}

function claude(version: string): void {
	put('bin/claude', `#!/bin/sh\necho '${version} (Claude Code)'\n`);
	chmodSync(join(root, 'bin/claude'), 0o755);
}

async function run(command: string, ...args: string[]): Promise<{ code: number; text: string }> {
	out = [];
	const code = await dispatch([command, ...args], {
		env: { HOME: root, PATH: `${join(root, 'bin')}:${process.env.PATH}` },
		cwd: join(root, 'shop'),
		print: (line) => void out.push(line),
		say: () => undefined,
	});
	return { code, text: out.join('\n') };
}

test('R252 after init all is well; without a server that is a warning, not a failure', async () => {
	await run('init');
	const { code, text } = await run('doctor');
	expect(text).not.toContain('WRONG');
	expect(text).toContain('all 31');
	expect(text).toContain('Claude Code 2.1.330');
	expect(text).toMatch(/warn +door/);
	expect(code).toBe(0);
});

test.each<[string, () => void, RegExp]>([
	['no entries', () => rmSync(join(root, 'shop/.claude'), { recursive: true }), /WRONG +hooks registered/],
	[
		'a malformed entry',
		() => put('shop/.claude/settings.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}'),
		/WRONG +settings files/,
	],
	['broken local settings', () => put('shop/.claude/settings.local.json', '{'), /WRONG +settings files/],
	['disableAllHooks', () => put('.claude/settings.json', '{"disableAllHooks":true}'), /WRONG +hooks enabled/],
	[
		'a hook that is not executable',
		() => chmodSync(join(root, '.overtone/bin/hook.sh'), 0o644),
		/WRONG +installed hook.sh .*not executable/,
	],
	['a missing hook', () => rmSync(join(root, '.overtone/bin/hook.cjs')), /WRONG +installed hook.cjs .*missing/],
	[
		'a missing half of the hook',
		() => rmSync(join(root, '.overtone/bin/hook-engine.cjs')),
		/WRONG +installed hook-engine.cjs .*missing/,
	],
	[
		'the plugin beside the entries',
		() => put('.claude/settings.json', '{"enabledPlugins":{"signalbox@x":true}}'),
		/WRONG +registered twice/,
	],
	[
		'an entry without a timeout',
		() => edit((text) => text.replace(/,\s*"timeout": 150/, '')),
		/WRONG +timeouts .*PreToolUse/,
	],
	['a FIFO as settings', () => fifo('shop/.claude/settings.json'), /WRONG +settings files .*a pipe or device/],
	['a FIFO as local settings', () => fifo('shop/.claude/settings.local.json'), /WRONG +settings files .*a pipe/],
	['a FIFO as config', () => fifo('shop/.overtone/config.json'), /WRONG +approvals .*a pipe or device/],
	['a FIFO as the home config', () => fifo('.overtone/config.json'), /WRONG +approvals .*a pipe or device/],
	['a byte order mark', () => edit((text) => `\ufeff${text}`), /WRONG +settings files .*byte order mark/],
	['deep nesting', () => put('.claude/settings.json', '['.repeat(2e5)), /WRONG +settings files .*levels deep/],
	[
		'a missing event',
		() => edit((text) => text.replace('"SubagentStop"', '"Other"')),
		/WRONG +hooks registered .*SubagentStop/,
	],
])('R253 it finds %s, says what to do and exits 1', async (_what, damage, expected) => {
	await run('init');
	damage();
	const { code, text } = await run('doctor');
	expect(text).toMatch(expected);
	expect(code).toBe(1);
});

function fifo(relative: string): void {
	const path = join(root, relative);
	rmSync(path, { force: true });
	mkdirSync(dirname(path), { recursive: true });
	execFileSync('mkfifo', [path]);
}

function edit(change: (text: string) => string): void {
	const path = join(root, 'shop/.claude/settings.json');
	writeFileSync(path, change(readFileSync(path, 'utf8')));
}

test('R254 an old client, another hook version and edited entries are warnings', async () => {
	await run('init');
	claude('2.1.112');
	put('.overtone/bin/hook.cjs', '// older');
	edit((text) => text.replace('exec ', 'exec  '));
	const { code, text } = await run('doctor');
	expect(text).toMatch(/warn +client .*2\.1\.112/);
	expect(text).toMatch(/warn +installed hook.cjs .*another version/);
	expect(text).toMatch(/warn +hooks registered +1 of 31/);
	expect(code).toBe(0);
});

test('R348 --live tries the hooks of the plugin where the project has that', async () => {
	await run('init', '--remove');
	await run('init', '--plugin');
	const { code, text } = await run('doctor', '--live');
	expect(text).toMatch(/ok +a denial comes back/);
	expect(text).not.toContain('WRONG');
	expect(code).toBe(0);
});

test('R255 --live sends the probe through the registered entry and believes only a denial', async () => {
	await run('init');
	expect((await run('doctor', '--live')).text).toMatch(/ok +a denial comes back/);
	const probe = JSON.parse(readFileSync(join(root, '.overtone/seen.json'), 'utf8'));
	expect(probe).toMatchObject({ session_id: '_home', hook_event_name: 'PreToolUse', tool_name: 'Agent' });
	put('.overtone/bin/hook.sh', "#!/bin/sh\necho hello\nprintf '{}'\n");
	const { code, text } = await run('doctor', '--live');
	expect(text).toMatch(/WRONG +a denial comes back +the hook printed "hello/);
	expect(code).toBe(1);
});

test('R384 a plugin of another version, edited or incomplete is told; a project without it hears nothing of it', async () => {
	expect((await run('doctor')).text).not.toMatch(/ plugin {2}/);
	await run('init', '--plugin');
	expect((await run('doctor')).text).toMatch(/ok +plugin +current, in /);
	put('.overtone/plugin/ot/skills/old/SKILL.md', 'of an older version');
	rmSync(join(root, '.overtone/plugin/ot/hooks/hooks.json'));
	const { code, text } = await run('doctor');
	expect([code, text]).toEqual([1, expect.stringMatching(/WRONG +plugin .*1 missing or other, 1 too many/)]);
	await run('init', '--plugin');
	expect((await run('doctor')).text).toMatch(/ok +plugin +current/);
});
