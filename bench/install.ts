/*
 * `npm run bench install`: what a new user waits for and what it takes of the disk: the package from its file, and, with
 * SIGNALBOX_BENCH_CLONE=1, a clone (its packages come from the registry). Medians of three.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { packForInstalling } from '#e2e/rig/installed-package.ts';
import { REPOSITORY } from '#e2e/rig/repository.ts';
import { freePort, linkOf, startServer } from '#e2e/rig/running-server.ts';
import { launchBrowser } from './rig/browser.ts';
import { memoryOf } from './rig/process-usage.ts';
import { quantile } from './rig/quantile.ts';
import { begin, report } from './rig/report.ts';

const ROUNDS = 3;
const seconds = (milliseconds: number[]) => `${(quantile(milliseconds, 0.5) / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function timed(step: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await step();
	return performance.now() - started;
}

function sizeOf(folder: string): number {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function measurePackage(): Promise<void> {
	const browser = await launchBrowser();
	const installs: number[] = [];
	const links: number[] = [];
	const homes: number[] = [];
	const memory: number[] = [];
	let sizes = '';
	for (let n = 0; n < ROUNDS; n += 1) {
		const installed = await packForInstalling();
		installs.push(await timed(() => installed.install()));
		sizes = `${megabytes(installed.packedBytes)}, ${megabytes(sizeOf(join(installed.program, '../../..')))}`;
		const started = performance.now();
		const server = await startServer({}, { program: installed.program });
		links.push(performance.now() - started);
		const page = await browser.newPage();
		await page.goto(linkOf(server.output()).href);
		await page.getByText('Live', { exact: true }).waitFor();
		homes.push(performance.now() - started);
		memory.push(memoryOf(server.pid()).now);
		await page.close();
		await server.dispose();
		installed.remove();
	}
	await browser.close();
	report('packed, on disk', sizes, '<= 15 MB, <= 75 MB');
	report('installed from its file, empty cache', seconds(installs), '<= 15 s');
	report('start to link', seconds(links), '<= 1 s');
	report('start to Home painted', seconds(homes), '<= 2.5 s');
	report('memory of the server then', megabytes(quantile(memory, 0.5)));
}

/** `npm start` in a folder, ended once its link is printed: how long that took, in ms. */
async function startClone(folder: string, root: string): Promise<number> {
	const port = String(await freePort());
	const started = performance.now();
	const child = spawn('npm', ['start', '--silent', '--', '--port', port], {
		cwd: folder,
		env: bareEnvironment({ HOME: root, OVERTONE_HOME: join(root, 'home'), npm_config_cache: join(root, 'cache') }),
		stdio: ['ignore', 'pipe', 'inherit'],
		detached: true,
	});
	const ended = once(child, 'close');
	let printed = '';
	let took = Number.NaN;
	child.stdout.setEncoding('utf8').on('data', (text) => {
		printed += text;
		if (!Number.isNaN(took) || !printed.includes('/login#')) return;
		took = performance.now() - started;
		process.kill(-(child.pid ?? 0), 'SIGTERM');
	});
	await ended;
	return took;
}

async function measureClone(): Promise<void> {
	const first: number[] = [];
	const second: number[] = [];
	for (let n = 0; n < ROUNDS; n += 1) {
		const root = mkdtempSync(join(tmpdir(), 'sbx-clone-'));
		const folder = join(root, 'signalbox');
		const started = performance.now();
		execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${REPOSITORY}`, folder]);
		const cloned = performance.now() - started;
		first.push(cloned + (await startClone(folder, root)));
		second.push(await startClone(folder, root));
		rmSync(root, { recursive: true, force: true });
	}
	report('clone to link', seconds(first), '<= 45 s');
	report('second start to link', seconds(second), '<= 2 s');
}

begin('installation');
if (process.env.SIGNALBOX_BENCH_CLONE === '1') await measureClone();
else await measurePackage();
