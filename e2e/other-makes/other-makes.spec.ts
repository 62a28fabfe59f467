import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProject } from '#e2e/claude-code/project.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { installMake } from './install-make.ts';
import { realMakes } from './makes.ts';
import { startScriptedModel } from './scripted-model.ts';

interface Summary {
	sessionId: string;
	agent: string;
	project?: string;
	counts: Record<string, number>;
}

for (const make of realMakes) {
	test(`R1337 ${make.title} ${make.version}: the session is recorded and shown, a denial holds, and the model reads why`, async ({
		server,
		api,
		token,
		operatorPage,
	}) => {
		test.setTimeout(240_000);
		const installed = await installMake(make);
		test.skip('missing' in installed, 'missing' in installed ? `not to be had here: ${installed.missing}` : '');
		if ('missing' in installed) return;

		const shop = createProject({ name: `${make.name}-shop` });
		const script = [make.runs('echo hello > said.txt; cat said.txt'), make.runs('touch ran.txt')];
		const model = await startScriptedModel(make.format, script);
		try {
			shop.write('.overtone/config.json', '{"commands": {"exclude": ["touch"]}}');
			for (const [path, text] of Object.entries(make.files(model.url))) {
				mkdirSync(dirname(join(shop.home, path)), { recursive: true });
				writeFileSync(join(shop.home, path), text);
			}
			const init = ['init', '--agent', make.name, '--project', shop.dir];
			await signalbox(server.home, init, shop.dir, { HOME: shop.home });

			const [program, ...args] = [...(make.isScript ? [process.execPath] : []), installed.path, ...make.args('Go on.')];
			const temporary = join(shop.root, 'tmp');
			const own = { HOME: shop.home, OVERTONE_HOME: server.home, TMPDIR: temporary, SHELL: '/bin/bash', CI: '1' };
			const env = bareEnvironment({ ...own, ...make.env(model.url) });
			const client = spawn(program ?? '', args, { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
			let said = '';
			for (const stream of [client.stdout, client.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
			const killer = setTimeout(() => client.kill('SIGKILL'), 120_000);
			const code = await new Promise<number | null>((resolve) => client.on('close', resolve));
			clearTimeout(killer);

			expect(code, said.slice(-2000)).toBe(0);
			expect(readFileSync(join(shop.dir, 'said.txt'), 'utf8')).toBe('hello\n');
			expect(existsSync(join(shop.dir, 'ran.txt')), 'the denied command did not run').toBe(false);
			expect(model.read).toHaveLength(2);
			expect(model.read[0]).toContain('hello');
			expect(model.read[1]).toContain('touch is not allowed here');

			const viewer = await token('viewer');
			const find = async (): Promise<Summary | undefined> => {
				const { sessions } = (await (await api('/api/sessions', viewer)).json()) as { sessions: Summary[] };
				return sessions.find(({ project }) => project === `${make.name}-shop`);
			};
			await expect
				.poll(async () => (await find())?.counts)
				.toMatchObject({ calls: 2, denials: 1, deniedButRan: 0, alarms: 0 });
			const session = await find();
			expect(session?.agent).toBe(make.name);
			const page = await operatorPage(`/sessions/${session?.sessionId}`);
			const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
			await expect(rows.filter({ hasText: 'cat said.txt' })).toContainText('ran');
			await expect(rows.filter({ hasText: 'touch ran.txt' })).toContainText(/denied/i);
		} finally {
			await model.close();
			shop.remove();
		}
	});
}
