import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { doorProof } from '#hooks-bridge/door/hook-run.ts';
import { packageVersion } from '../process/package-root.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { dispatch } from './dispatch.ts';

const files = vi.hoisted(() => ({ built: '' }));
vi.mock('../setup/distribution.ts', async (original) => ({
	...(await original<typeof import('../setup/distribution.ts')>()),
	builtFile: (name: string) => `${files.built}/${name}`,
}));

const DENY =
	'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Signalbox: no"}}';

let root: string;
let out: string[];
let env: Record<string, string>;
let path: string;
beforeEach(() => {
	env = {};
	root = mkdtempSync(join(tmpdir(), 'sbx-doc-'));
	files.built = join(root, 'dist');
	path = `${join(root, 'bin')}:${process.env.PATH}`;
	writeFile('dist/hook.sh', `#!/bin/sh\ncat > "\${OVERTONE_HOME}/seen.json"\nprintf '%s' '${DENY}'\n`);
	writeFile('dist/hook.cjs', '');
	writeFile('dist/hook-commands.cjs', '');
	writeFile('dist/enter-sandbox.cjs', '');
	writeFile('dist/enter-sandbox.sh', '');
	writeFile('dist/hook-engine.cjs', '');
	mkdirSync(join(root, 'shop'));
	claude('2.1.330');
});
afterEach(() => rmSync(root, { recursive: true }));

function writeFile(relative: string, text: string): void {
	mkdirSync(dirname(join(root, relative)), { recursive: true });
	writeFileSync(join(root, relative), text);
}

function claude(version: string): void {
	writeFile('bin/claude', `#!/bin/sh\necho '${version} (Claude Code)'\n`);
	chmodSync(join(root, 'bin/claude'), 0o755);
}

async function run(command: string, ...args: string[]): Promise<{ code: number; text: string }> {
	out = [];
	const code = await dispatch([command, ...args], {
		env: { HOME: root, PATH: path, ...env },
		cwd: join(root, 'shop'),
		print: (line) => void out.push(line),
		say: (line) => void out.push(line),
	});
	return { code, text: out.join('\n') };
}

test('after init all is well; without a server that is a warning, not a failure', async () => {
	await run('init');
	const { code, text } = await run('doctor');
	expect(text).not.toContain('WRONG');
	expect(text).toContain('all 31');
	expect(text).toContain('Claude Code 2.1.330');
	expect(text).toMatch(/warn +door/);
	expect(code).toBe(0);
});

test('it says what the hub’s policy holds back here, and that one cannot be read', async () => {
	await run('init');
	expect((await run('doctor')).text).not.toContain('hub policy');
	const policy = { team: 'shop', version: 3, expires: '2999-01-01T00:00:00.000Z', body: { 'hub.mayDecide': false } };
	writeFile('.overtone/hub-policy.json', JSON.stringify({ hub: 'hub.example', mayLoosen: false, signed: { policy } }));
	expect((await run('doctor')).text).toMatch(
		/ok +hub policy +v3 of team shop from hub.example, until 2999-01-01T00:00:00.000Z: hub.mayDecide false/,
	);
	writeFile('.overtone/hub-policy.json', '[]');
	expect(await run('doctor')).toMatchObject({ code: 1, text: expect.stringMatching(/WRONG +hub policy/) });
});

test('in a sub-folder it names the project above whose hooks the client does not read there', async () => {
	await run('init');
	mkdirSync(join(root, 'shop/packages/ui'), { recursive: true });
	const { code, text } = await run('doctor', '--project', join(root, 'shop/packages/ui'));
	expect(text).toContain(`none here, only in ${join(root, 'shop')}: a client that is started here does not read those`);
	expect(text).toMatch(/start the client there, or run `signalbox init --project .*ui` for this folder/);
	expect(code).toBe(1);
});

test.each<[string, () => void, RegExp]>([
	['no entries', () => rmSync(join(root, 'shop/.claude'), { recursive: true }), /WRONG +hooks registered/],
	[
		'a malformed entry',
		() => writeFile('shop/.claude/settings.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}'),
		/WRONG +settings files/,
	],
	['broken local settings', () => writeFile('shop/.claude/settings.local.json', '{'), /WRONG +settings files/],
	['disableAllHooks', () => writeFile('.claude/settings.json', '{"disableAllHooks":true}'), /WRONG +hooks enabled/],
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
		() => writeFile('.claude/settings.json', '{"enabledPlugins":{"signalbox@x":true}}'),
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
	[
		'a command with an argument among the excluded ones',
		() => writeFile('.overtone/config.json', '{"commands":{"exclude":["git push"]}}'),
		/WRONG +settings +no command can be judged .*"git push" is not the name of a command/,
	],
	['a byte order mark', () => edit((text) => `\ufeff${text}`), /WRONG +settings files .*byte order mark/],
	['deep nesting', () => writeFile('.claude/settings.json', '['.repeat(2e5)), /WRONG +settings files .*levels deep/],
	[
		'a missing event',
		() => edit((text) => text.replace('"SubagentStop"', '"Other"')),
		/WRONG +hooks registered .*SubagentStop/,
	],
])('it finds %s, says what to do and exits 1', async (_what, damage, expected) => {
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

test('an old client, another hook version and edited entries are warnings', async () => {
	await run('init');
	claude('2.1.112');
	writeFile('.overtone/bin/hook.cjs', '// older');
	edit((text) => text.replace('exec ', 'exec  '));
	const { code, text } = await run('doctor');
	expect(text).toMatch(/warn +client .*2\.1\.112/);
	expect(text).toMatch(/warn +installed hook.cjs .*another version/);
	expect(text).toMatch(/warn +hooks registered +1 of 31/);
	expect(code).toBe(0);
});

test('a client that would drop the whole settings file is reported as wrong by doctor and init', async () => {
	claude('2.1.98');
	const { text: printed } = await run('init');
	expect(printed).toContain('Claude Code 2.1.98 drops the whole settings file');
	expect(printed).not.toContain('are recorded');
	const { code, text } = await run('doctor');
	expect(text).toMatch(/WRONG +client +Claude Code 2\.1\.98 drops the whole settings file/);
	expect(code).toBe(1);
	claude('2.1.101');
	expect((await run('init')).text).toContain('are recorded');
});

test('a routing plan that cannot be read is a warning, one that can is counted', async () => {
	await run('init');
	expect((await run('doctor')).text).not.toContain('routing plan');
	writeFile('shop/.vibe-engine/routing-state.json', '{"planId":"p","status":"in_progress"}');
	const broken = await run('doctor');
	expect(broken.code).toBe(0);
	expect(broken.text).toMatch(
		/warn +routing plan +cannot be read, so .*: it has no list of phases\n +-> correct or remove /,
	);
	const task = { agent: 'developer', status: 'pending' };
	const phases = [{ tasks: [task, { ...task, status: 'completed' }] }];
	writeFile('shop/.vibe-engine/routing-state.json', JSON.stringify({ planId: 'p', status: 'in_progress', phases }));
	expect((await run('doctor')).text).toMatch(/ok +routing plan +1 open task\n/);
});

test('--live tries the hooks of the plugin where the project has that', async () => {
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
	writeFile('.overtone/bin/hook.sh', "#!/bin/sh\necho hello\nprintf '{}'\n");
	const { code, text } = await run('doctor', '--live');
	expect(text).toMatch(/WRONG +a denial comes back +the hook printed "hello/);
	expect(code).toBe(1);
});

test('an entry that is killed while it waits is wrong; one too short for holdSeconds is a warning', async () => {
	await run('init');
	writeFile('.overtone/config.json', '{"approvals":{"holdSeconds":300}}');
	const short = await run('doctor');
	expect(short.text).toMatch(/warn +hook and its timeout +.*PreToolUse.*= 330 s/);
	expect(short.code).toBe(0);
	await run('init');
	expect((await run('doctor')).text).not.toContain('hook and its timeout');
	edit((text) => text.replace('"timeout": 330', '"timeout": 20'));
	const killed = await run('doctor');
	expect(killed.text).toMatch(/WRONG +hook and its timeout +timeout too short/);
	expect(killed.code).toBe(1);
});

test('an entry with a profile that is none is wrong; what init writes never has one', async () => {
	await run('init');
	expect((await run('doctor')).text).not.toContain('profile of a hook');
	edit((text) => text.replaceAll('" open ', '" opne '));
	const { code, text } = await run('doctor');
	expect(text).toMatch(/WRONG +profile of a hook +opne on .*PreToolUse.* is not a profile: it counts as closed/);
	expect(code).toBe(1);
});

test('a fail-closed entry without onFailure, a missing one and an old client are wrong', async () => {
	writeFile('shop/.overtone/config.json', '{"commands":{"exclude":["rm"]}}');
	await run('init');
	expect((await run('doctor')).text).toMatch(/ok +fail-closed entry/);
	const local = join(root, 'shop/.claude/settings.local.json');
	const whole = readFileSync(local, 'utf8');
	writeFileSync(local, whole.replace(/,\s*"onFailure": "block"/, ''));
	const open = await run('doctor');
	expect([open.code, open.text]).toEqual([
		1,
		expect.stringMatching(/WRONG +fail-closed entry +onFailure is missing in /),
	]);
	for (const [from, to] of [
		['"matcher": "Bash"', '"matcher": "Other"'],
		['"onFailure": "block"', '"onFailure": "block", "async": true'],
		['"onFailure": "block"', '"onFailure": "block", "if": "Bash(ls)"'],
	] as const) {
		expect(whole).toContain(from);
		writeFileSync(local, whole.replace(from, to));
		expect((await run('doctor')).text).toMatch(
			/WRONG +reach of a hook +the client does not run the hook on PreToolUse/,
		);
	}
	writeFileSync(local, '{}');
	expect((await run('doctor')).text).toMatch(/WRONG +fail-closed entry +commands are excluded/);
	writeFileSync(local, whole);
	claude('2.1.197');
	const old = await run('doctor');
	expect(old.text).toMatch(/WRONG +client +Claude Code 2\.1\.197 ignores onFailure.*fail-closed entry.*with -p/);
	expect(old.code).toBe(1);
});

test('supervisor entries without their reviewer are wrong', async () => {
	await run('init', '--supervisor');
	expect((await run('doctor')).text).toMatch(/ok +reviewer /);
	env = { CCC_CLAUDE: 'no-such-reviewer' };
	expect((await run('doctor')).text).toMatch(/WRONG +reviewer +.*no-such-reviewer is not found/);
});

test('a changed journal is wrong, one that nobody outside knows is a hint', async () => {
	expect((await run('doctor')).text).toMatch(/ok +journal +nothing was decided yet/);
	mkdirSync(join(root, '.overtone'), { recursive: true });
	const path = join(root, '.overtone/journal.db');
	const journal = await openSqliteJournal(path);
	await journal.append({ id: 'r1', kind: 'setting:change', subject: 'workflow:s1', payload: { setting: 'x' } });
	await journal.close();
	expect((await run('doctor')).text).toMatch(/- +journal +NOT ANCHORED: 1 row is/);
	const sqlite = openDatabase(path);
	for (const { name } of sqlite
		.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
		.all())
		sqlite.exec(`DROP TRIGGER "${name}"`);
	sqlite.exec("UPDATE journal SET subject = 'workflow:s2'");
	sqlite.close();
	const { code, text } = await run('doctor');
	expect(text).toMatch(/WRONG +journal +BROKEN at row 1/);
	expect(code).toBe(1);
});

test('a channel without its variable, a model without its key and a missing sandbox are reported', async () => {
	const notify = { channels: { team: { kind: 'webhook', url: 'https://example.org/x', secretEnv: 'HOOK_SECRET' } } };
	const llm = { provider: 'anthropic', model: 'm' };
	writeFile('.overtone/config.json', JSON.stringify({ notify, llm, commands: { withoutSandbox: 'refuse' } }));
	path = join(root, 'bin');
	for (const name of ['curl', 'node']) writeFile(`bin/${name}`, '');
	const { text } = await run('doctor');
	expect(text).toMatch(/warn +notifications +team needs HOOK_SECRET\n.*the server's counts/);
	expect(text).toMatch(/warn +model +No model is asked, because there is no key/);
	expect(text).toMatch(/warn +sandbox +bwrap is not found: .* refuses/);
	env = { HOOK_SECRET: 'x', SIGNALBOX_LLM_KEY: 'x' };
	expect((await run('doctor')).text).toMatch(/ok +notifications +1 of 1 channels[\s\S]*ok +model +anthropic\/m/);
});

test('--live sends an excluded command through the fail-closed entry, too', async () => {
	writeFile('shop/.overtone/config.json', '{"commands":{"exclude":["rm"]}}');
	await run('init');
	const { code, text } = await run('doctor', '--live');
	expect(text).toMatch(/ok +a denial comes back/);
	expect(text).toMatch(/ok +the fail-closed entry denies +an excluded command was denied/);
	expect(code).toBe(0);
	const seen = JSON.parse(readFileSync(join(root, '.overtone/seen.json'), 'utf8'));
	expect(seen).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'signalbox-doctor-probe' } });
	writeFile('.overtone/bin/hook.sh', `#!/bin/sh\n[ "$1" = closed ] || printf '%s' '${DENY}'\n`);
	expect((await run('doctor', '--live')).text).toMatch(
		/WRONG +the fail-closed entry denies +the hook printed .*did not prove/,
	);
});

test('a fail-closed entry that asks for no proof, or was edited, is wrong', async () => {
	writeFile('shop/.overtone/config.json', '{"commands":{"exclude":["rm"]}}');
	await run('init');
	expect((await run('doctor')).text).toMatch(/ok +fail-closed entry +blocks/);
	const path = 'shop/.claude/settings.local.json';
	const text = readFileSync(join(root, path), 'utf8');
	const before = 'h=\\"$HOME/.overtone/bin/hook.sh\\"; exec \\"$h\\" closed ';
	for (const edited of [
		text.replace('] && [ \\"$2\\" = ', '] || [ \\"$2\\" = '),
		text.replace(/"u=.*nask closed /, `"${before}`),
	]) {
		expect(edited).not.toBe(text);
		writeFile(path, edited);
		expect((await run('doctor')).text).toMatch(/WRONG +fail-closed entry +.* is not as this version writes it/);
	}
	await run('init');
	expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('a plugin of another version, edited or incomplete is reported; a project without it gets no line about it', async () => {
	expect((await run('doctor')).text).not.toMatch(/ plugin {2}/);
	await run('init', '--plugin');
	expect((await run('doctor')).text).toMatch(/ok +plugin +current, in /);
	writeFile('.overtone/plugin/ot/skills/old/SKILL.md', 'of an older version');
	rmSync(join(root, '.overtone/plugin/ot/hooks/hooks.json'));
	const { code, text } = await run('doctor');
	expect([code, text]).toEqual([1, expect.stringMatching(/WRONG +plugin .*1 missing or different, 1 unexpected/)]);
	await run('init', '--plugin');
	expect((await run('doctor')).text).toMatch(/ok +plugin +current/);
});

test('R800 a program on the socket that does not know the key of the home is no server', async () => {
	await run('init');
	const home = join(root, '.overtone');
	chmodSync(home, 0o700);
	const holder = { pid: 1, url: 'http://signalbox.localhost:7777', version: packageVersion() };
	writeFile('.overtone/server.lock.json', JSON.stringify(holder));
	const answers = (prove: (id: string) => string) =>
		createServer((request, response) => {
			const type = `text/plain${prove(String(request.headers['x-signalbox-request']))}`;
			response.writeHead(404, { 'content-type': type }).end('no');
		});
	const doctorAt = async (server: ReturnType<typeof createServer>) => {
		await new Promise<void>((resolve) => server.listen(join(home, 'bridge.sock'), resolve));
		chmodSync(join(home, 'bridge.sock'), 0o600);
		const { text } = await run('doctor');
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		return text;
	};
	const key = '0123456789abcdef'.repeat(4);
	const proving = () => answers((id) => `; proof=${doorProof(key, id, 'no')}`);
	expect(await doctorAt(proving())).toMatch(/WRONG +door .*does not prove/);
	writeFile('.overtone/door.key', `${key}\n`);
	expect(await doctorAt(answers(() => ''))).toMatch(/WRONG +door .*does not prove/);
	expect(await doctorAt(proving())).toMatch(/ok +door +open; the server is at http/);
	writeFile('.overtone/server.lock.json', JSON.stringify({ ...holder, version: '0.0.1' }));
	expect(await doctorAt(proving())).toMatch(/warn +door .*runs 0\.0\.1, this is .*stop it and start again\n.*`kill 1`/);
	chmodSync(home, 0o755);
	expect(await doctorAt(proving())).toMatch(/WRONG +door .*other users of this machine may use/);
});
