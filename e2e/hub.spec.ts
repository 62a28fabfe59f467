import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { postgresPrograms, startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { asLine, samplePrompt } from '#server/testing/timeline-rig.ts';
import { expect, test } from './fixtures.ts';
import { bareEnvironment } from './rig/bare-environment.ts';
import { SIGNALBOX } from './rig/repository.ts';
import { freePort, linkOf } from './rig/running-server.ts';
import { signalbox } from './rig/signalbox-command.ts';

const newHome = () => realpathSync(mkdtempSync(join(tmpdir(), 'sbx-hub-')));

/** A hub over a database of its own, and machines that push to it by hand. */
async function startHub() {
	const cluster = await startPostgres();
	const env = { SIGNALBOX_DATABASE_URL: await cluster.database() };
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const home = newHome();
	const homes = [home];
	const hub: ChildProcess = spawn(process.execPath, [SIGNALBOX, 'hub', '--url', url, '--port', String(port)], {
		cwd: home,
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, ...env }),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	await new Promise<void>((resolve, reject) => {
		const read = (text: string) => {
			output += text;
			if (output.includes('/login#')) resolve();
		};
		hub.stdout?.setEncoding('utf8').on('data', read);
		hub.stderr?.setEncoding('utf8').on('data', read);
		hub.once('exit', () => reject(new Error(`The hub ended:\n${output}`)));
	});

	/** A machine that has joined; `tell` writes a line of a session and pushes it. */
	async function machine(name: string, team: string) {
		const own = newHome();
		homes.push(own);
		const line = await signalbox(home, ['hub', 'code', '--url', url, '--team', team], home, env);
		const code = /'(.+)'/.exec(line)?.[1] ?? '';
		await signalbox(own, ['join', url, code, '--all', '--name', name]);
		return async (sessionId: string, n: number, prompt: string) => {
			makeFolder(join(own, 'sessions', sessionId));
			const event = samplePrompt(sessionId, n, { project: 'shop', prompt, ts: new Date().toISOString() });
			appendFileSync(join(own, 'sessions', sessionId, 'timeline.jsonl'), asLine(event));
			await signalbox(own, ['push', '--wait', '30']);
		};
	}

	return {
		link: () => linkOf(output).href,
		errors: () => output.match(/^\S+ error .*/gm) ?? [],
		machine,
		async stop() {
			const ended = once(hub, 'exit');
			hub.kill('SIGTERM');
			await ended;
			await cluster.remove();
			for (const each of homes) rmSync(each, { recursive: true, force: true });
		},
	};
}

test.skip(postgresPrograms === undefined, 'there is no Postgres on this machine');

test('R1975 the sessions of two machines are watched on the pages of their hub, live, and decided at neither', async ({
	browser,
}) => {
	const hub = await startHub();
	const tellLaptop = await hub.machine('laptop', 'shop');
	const tellDesktop = await hub.machine('desktop', 'web');
	await tellLaptop('s1', 1, 'Mend the cart.');
	await tellDesktop('s1', 1, 'Write the imprint.');

	const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
	const errors: string[] = [];
	context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	context.on('weberror', (error) => errors.push(String(error.error())));
	const page = await context.newPage();
	await page.goto(hub.link());
	const rows = page.getByRole('main').getByRole('link');
	await expect(rows).toHaveCount(2);
	await expect(rows.filter({ hasText: 'laptop' })).toHaveAttribute('href', '/sessions/1/s1');
	await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText([/Sessions/, /Decisions/]);

	await page.getByRole('group', { name: 'Machine' }).getByRole('button', { name: 'desktop' }).click();
	await expect(rows).toHaveCount(1);
	await page.getByRole('group', { name: 'Machine' }).getByRole('button', { name: 'desktop' }).click();
	await page.getByRole('group', { name: 'Team' }).getByRole('button', { name: 'shop' }).click();
	await expect(rows).toHaveText([/laptop/]);

	await rows.click();
	await expect(page.getByText('laptop · shop')).toBeVisible();
	await page.getByRole('tab', { name: 'Story' }).click();
	await expect(page.getByRole('main')).toContainText('Mend the cart.');
	await tellLaptop('s1', 2, 'Now the coupons.');
	await expect(page.getByRole('main')).toContainText('Now the coupons.');
	for (const tab of ['Overview', 'Lanes', 'Plan', 'Verdicts', 'Raw']) {
		await page.getByRole('tab', { name: tab }).click();
		await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
	}
	await page.goto(new URL('/rules', page.url()).href);
	await expect(page.getByRole('main')).toContainText('A hub only watches.');
	expect(errors, 'console and page errors').toEqual([]);
	await context.close();
	expect(hub.errors()).toEqual([]);
	await hub.stop();
});
