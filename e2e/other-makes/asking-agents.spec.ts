import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '#e2e/fixtures.ts';
import { freePort } from '#server/process/free-port.ts';
import { realClients } from './real-clients.ts';
import { type ClientRun, prepareClient, programOf, runClient } from './run-client.ts';

/** The first card that asks for a command, once it is there. */
const cardOf = (page: Page, command: string) => page.getByRole('article').filter({ hasText: command });

async function decideBoth(page: Page, shop: { dir: string }): Promise<void> {
	const first = cardOf(page, 'touch asked.txt');
	await expect(first).toContainText('asks for permission', { timeout: 30_000 });
	expect(existsSync(join(shop.dir, 'asked.txt'))).toBe(false);
	await first.getByRole('button', { name: 'Approve once' }).click();
	const second = cardOf(page, 'touch refused.txt');
	await second.getByRole('textbox', { name: 'Reason' }).fill('not in this folder', { timeout: 60_000 });
	await second.getByRole('button', { name: 'Deny' }).click();
	await expect.poll(() => existsSync(join(shop.dir, 'asked.txt'))).toBe(true);
}

const clientOf = (name: string) => {
	const client = realClients.find((each) => each.name === name);
	if (!client) throw new Error(`no client of ${name}`);
	return client;
};

test('Codex in its terminal: its own permission prompt is answered in the browser, and the model reads the denial', {
	tag: '@full',
}, async ({ server, operatorPage }) => {
	test.setTimeout(240_000);
	test.skip(spawnSync('tmux', ['-V']).status !== 0, 'not to be had here: tmux');
	const client = clientOf('codex');
	const program = await programOf(client);
	const escalated = (cmd: string) => ({
		tool: 'exec_command',
		input: { cmd, sandbox_permissions: 'require_escalated', justification: 'as asked' },
	});
	const script = [escalated('touch asked.txt'), escalated('touch refused.txt')];
	const run: ClientRun = {
		...{ home: server.home, config: '{}', script, program },
		before: ({ home, dir }) =>
			appendFileSync(
				join(home, '.codex/config.toml'),
				`\n[projects."${dir}"]\ntrust_level = "trusted"\n[tui]\nanimations = false\n`,
			),
	};
	const { shop, model, env, command } = await prepareClient(client, run);
	const tmux = (...args: string[]) =>
		spawnSync('tmux', ['-S', join(shop.root, 'tmux'), '-f', '/dev/null', ...args], { env });
	const args = ['--dangerously-bypass-hook-trust', '-s', 'read-only', '-a', 'on-request', 'Go on.'];
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	try {
		const line = [...command, ...args].map((word) => `'${word}'`).join(' ');
		tmux('new-session', '-d', '-x', '150', '-y', '45', '-c', shop.dir, `TERM=xterm-256color exec ${line}`);
		// First it praises a newer model.
		await expect.poll(() => String(tmux('capture-pane', '-p').stdout)).toContain('Use existing model');
		tmux('send-keys', '2');
		await decideBoth(page, shop);
		await expect.poll(() => model.read.at(-1)).toContain('not in this folder');
		expect(existsSync(join(shop.dir, 'refused.txt'))).toBe(false);
	} finally {
		tmux('kill-server');
		await model.close();
		shop.remove();
	}
});

test('Copilot CLI in its terminal: a turn that its person stops with Esc, which no hook reports, is over on the page', {
	tag: '@full',
}, async ({ ownServer, operatorPage }) => {
	test.setTimeout(240_000);
	test.skip(spawnSync('tmux', ['-V']).status !== 0, 'not to be had here: tmux');
	const client = clientOf('copilot');
	const program = await programOf(client);
	const clientHome = mkdtempSync(join(tmpdir(), 'sbx-copilot-'));
	const server = await ownServer({ COPILOT_HOME: clientHome });
	const run: ClientRun = {
		...{ home: server.home, config: '{"gates": {"permissionRequest": {"hold": false}}}', program },
		script: [client.runs('echo begun; sleep 60')],
		before: ({ home, dir }) => {
			cpSync(join(home, '.copilot'), clientHome, { recursive: true });
			writeFileSync(join(clientHome, 'config.json'), JSON.stringify({ trusted_folders: [dir] }));
		},
	};
	const { shop, model, env, command } = await prepareClient(client, run);
	const tmux = (...args: string[]) =>
		spawnSync('tmux', ['-S', join(shop.root, 'tmux'), '-f', '/dev/null', ...args], { env });
	const screen = () => String(tmux('capture-pane', '-p').stdout);
	const page = await operatorPage('/', { server });
	try {
		const line = `TERM=xterm-256color COPILOT_HOME='${clientHome}' exec '${command.join("' '")}' --allow-all-tools`;
		tmux('new-session', '-d', '-x', '150', '-y', '45', '-c', shop.dir, line);
		await expect.poll(screen).toContain('❯');
		tmux('send-keys', '-l', 'Go on.');
		await expect.poll(screen).toContain('Go on.');
		tmux('send-keys', 'Enter');
		await page
			.getByRole('link', { name: /copilot-shop/ })
			.first()
			.click({ timeout: 60_000 });
		const row = page.getByRole('list', { name: 'Story' }).getByRole('button').filter({ hasText: 'sleep 60' });
		await expect(row).toContainText('running');
		await expect
			.poll(async () => {
				tmux('send-keys', 'Escape');
				return screen();
			})
			.not.toContain('Working');
		await expect(row).not.toContainText('running');
		await row.click();
		await expect(page.getByRole('region', { name: 'Detail' })).toContainText('closed when the turn ended');
	} finally {
		tmux('kill-server');
		await model.close();
		shop.remove();
		rmSync(clientHome, { recursive: true });
	}
});

test('OpenCode as a server: its permission prompt is answered in the browser', { tag: '@full' }, async ({
	server,
	operatorPage,
}) => {
	test.setTimeout(240_000);
	const client = clientOf('opencode');
	const program = await programOf(client);
	const run: ClientRun = {
		...{ home: server.home, config: '{}', program },
		script: [client.runs('touch asked.txt'), client.runs('touch refused.txt')],
		before: ({ home }) => {
			const path = join(home, '.config/opencode/opencode.json');
			const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
			writeFileSync(path, JSON.stringify({ ...settings, permission: { bash: 'ask' } }));
		},
	};
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const { shop, close } = await runClient(client, run, ['serve', '--port', `${port}`, '--hostname', '127.0.0.1']);
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	try {
		const post = (path: string, body: object) =>
			fetch(`${url}${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
		const isUp = () =>
			fetch(`${url}/session`, { signal: AbortSignal.timeout(20_000) }).then(
				({ ok }) => ok,
				() => false,
			);
		await expect.poll(isUp, { timeout: 150_000 }).toBe(true);
		const session = (await (await post('/session', { title: 'Shop' })).json()) as { id: string };
		const response = post(`/session/${session.id}/message`, { parts: [{ type: 'text', text: 'Go on.' }] });
		await decideBoth(page, shop);
		expect((await response).status).toBe(200);
		expect(existsSync(join(shop.dir, 'refused.txt'))).toBe(false);
	} finally {
		await close();
	}
});
