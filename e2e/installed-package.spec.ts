import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject } from './claude-code/project.ts';
import { expect, test } from './fixtures.ts';
import { bareEnvironment } from './rig/bare-environment.ts';
import { packForInstalling } from './rig/installed-package.ts';
import { putOldHome } from './rig/old-home.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { agentCall, planFor } from './rig/routing.ts';
import { linkOf } from './rig/running-server.ts';

/** Runs the hook that `init` wrote for an event into a project's settings, as the client does; gives what it prints. */
function runWrittenHook(dir: string, home: string, input: Record<string, unknown>): Promise<string> {
	const { hooks } = JSON.parse(readFileSync(join(dir, '.claude/settings.json'), 'utf8'));
	const [{ command }] = hooks[String(input.hook_event_name)][0].hooks;
	const child = spawn('sh', ['-c', command], {
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, CLAUDE_PID: String(process.pid) }),
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(input));
	return new Promise((resolve) => {
		let printed = '';
		child.stdout.on('data', (text) => {
			printed += text;
		});
		child.on('close', () => resolve(printed));
	});
}

test('R2433 the package installs from its file alone, watches a project, holds a call for a person, reads an older home and goes without a trace', async ({
	ownServer,
	browser,
}) => {
	// Packs twice, installs twice and starts three servers, beside three other tests on two cores.
	test.setTimeout(300_000);
	const installed = await packForInstalling();
	await installed.install();
	expect(installed.said()).toMatch(/added 1 package/);
	expect(installed.said()).not.toMatch(/warn|script/i);

	const server = await ownServer({}, { program: installed.program });
	const signalbox = async (...args: string[]) => {
		const env = bareEnvironment({ OVERTONE_HOME: server.home, HOME: server.home });
		return (await promisify(execFile)(process.execPath, [installed.program, ...args], { env })).stdout;
	};
	const project = createProject({ name: 'checkout', plan: planFor('developer') });
	await signalbox('init', '--project', project.dir);
	const page = await browser.newPage();
	await page.goto(linkOf(server.output()).href);
	await expect(page.getByText('Live', { exact: true })).toBeVisible();

	for (const input of recordedRun('accept-6', 'recorded')) {
		await runWrittenHook(project.dir, server.home, { ...input, cwd: project.dir });
	}
	const call = agentCall({ sessionId: 'held', cwd: project.dir, agent: 'architect' });
	const held = runWrittenHook(project.dir, server.home, call);
	await page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'Open' }).click();
	await page.getByRole('textbox', { name: 'Reason' }).fill('as planned');
	await page.getByRole('button', { name: 'Approve once' }).click();
	expect(JSON.parse(await held).hookSpecificOutput.permissionDecision).toBe('allow');
	const timeline = readFileSync(join(server.home, 'sessions/recorded/timeline.jsonl'), 'utf8');
	expect(timeline.split('"type":"session:start"').length).toBeGreaterThan(1);

	await server.stop();
	putOldHome(server.home);
	await server.start();
	await expect.poll(async () => (await signalbox('audit', 'verify')).trim()).toMatch(/\d+ rows are as written/);
	await page.goto(linkOf(server.output()).href);
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const newer = await installed.upgrade();
	expect(await signalbox('--version')).toBe(`${newer}\n`);
	await page.reload();
	await expect(page.getByText('The program of this server was replaced while it ran')).toBeVisible();
	expect(await signalbox('status')).toContain(`this is ${newer}: stop it and start again`);
	await server.stop();
	await runWrittenHook(project.dir, server.home, { ...call, session_id: 'between', hook_event_name: 'SessionStart' });
	await server.start();
	await expect.poll(async () => (await signalbox('audit', 'verify')).trim()).toMatch(/\d+ rows are as written/);
	await page.goto(linkOf(await signalbox('open')).href.replace('/login#', '/login?to=%2Fsessions%2Fbefore#'));
	await expect(page.getByRole('list', { name: 'Story' })).toBeVisible();
	await page.goto(new URL('/sessions/between', page.url()).href);
	await expect(page.getByRole('list', { name: 'Story' })).toBeVisible();
	await page.close();

	await server.stop();
	await signalbox('uninstall', '--yes');
	expect(existsSync(join(project.dir, '.claude/settings.json'))).toBe(false);
	expect(existsSync(server.home)).toBe(false);
	project.remove();
	await installed.uninstall();
	expect(installed.left().filter((name) => !name.startsWith('.'))).toEqual([]);
	installed.remove();
});
