/*
 * `npm run bench wall`: what a wall of 30 sessions at 500 events a second does to a page (long tasks, the wait of a key),
 * a frame of zooming and panning the lanes of 100,000 events, and the opening of the palette.
 */
import type { Browser, Page } from '@playwright/test';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { type StoryLine, writeStory } from '#server/testing/story.ts';
import { launchBrowser, signedInPage } from './rig/browser.ts';
import { settledEvents } from './rig/indexed-events.ts';
import { startMainThreadClock } from './rig/main-thread.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report } from './rig/report.ts';
import { createPoster, paced } from './rig/steady-load.ts';
import { WALL_SESSIONS, wallBeginnings, wallInput } from './rig/wall-load.ts';

const PER_SECOND = 500;
const SECONDS = 30;
const LANES = 100_000;
const AGENTS = 20;
const FRAMES = 60;
const OPENINGS = 20;

declare global {
	interface Window {
		/** How long each task over 50 ms was, and how long each key waited for the page (ms). */
		busyPage?: { tasks: number[]; keys: number[] };
		/** Ms from the key to the palette on screen. */
		opened?: Promise<number>;
	}
}

const watchBusy = (page: Page) =>
	page.evaluate(() => {
		const seen = { tasks: [] as number[], keys: [] as number[] };
		window.busyPage = seen;
		new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) seen.tasks.push(duration);
		}).observe({ type: 'longtask' });
		window.addEventListener('keydown', ({ timeStamp }) => seen.keys.push(performance.now() - timeStamp), true);
	});

const readBusy = (page: Page) => page.evaluate(() => window.busyPage ?? { tasks: [], keys: [] });

/** All sessions at work for `SECONDS`, while somebody goes up and down on the page. */
async function measureLive(server: RunningServer, page: Page, what: string): Promise<void> {
	await watchBusy(page);
	const readMainThread = await startMainThreadClock(page);
	const poster = createPoster(server.socketPath);
	let isOver = false;
	const keys = (async () => {
		for (let n = 0; !isOver; n += 1) {
			await page.keyboard.press(n % 20 < 10 ? 'j' : 'k');
			await page.waitForTimeout(150);
		}
	})();
	await paced(SECONDS * PER_SECOND, 1000 / PER_SECOND, (n) => poster.post(wallInput(n, what)));
	isOver = true;
	await keys;
	poster.close();
	const busy = await readMainThread();
	const seen = await readBusy(page);
	report(`${what}: tasks over 100 ms`, `${seen.tasks.filter((task) => task > 100).length}`, '0');
	report(`${what}: the longest task`, seen.tasks.length === 0 ? '< 50 ms' : ms(Math.max(...seen.tasks)));
	report(`${what}: a key waits, p95 of ${seen.keys.length}`, ms(quantile(seen.keys, 0.95)), '< 50 ms');
	report(`${what}: processor time of the page`, `${((busy.all / SECONDS / 1000) * 100).toFixed(0)} % of a core`);
}

/** A session of many agents that work side by side for hours. */
function manyCalls(): StoryLine[] {
	const agents = Array.from({ length: AGENTS }, (_, n) => `agent-${n}`);
	return [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		...agents.map((agentId) => ({ type: 'agent:start', agent: 'developer', agentId })),
		...Array.from({ length: LANES / 2 }, (_, n) => {
			const call = { toolUseId: `call-${n}`, tool: ['Bash', 'Read', 'Edit'][n % 3], agentId: agents[n % AGENTS] };
			return [
				{ type: 'tool:call', ...call, input: { command: `echo ${n}` }, after: 0.2 },
				{ type: 'tool:result', ...call, response: 'ok', after: 0.2 },
			];
		}).flat(),
	];
}

/** Script time of each frame of zooming in to the calls, panning along them and zooming out again. */
async function measureLanes(page: Page): Promise<void> {
	await page.goto('/sessions/lanes?tab=lanes');
	const lanes = page.getByRole('region', { name: 'Lanes over time' });
	await lanes
		.getByRole('list', { name: /^Calls of/ })
		.first()
		.waitFor();
	await page.waitForTimeout(2000);
	const box = await lanes.boundingBox();
	if (!box) throw new Error('The lanes are not on the page.');
	await page.mouse.move(box.x + box.width * 0.6, box.y + 120);
	const frame = async (input: { x: number; y: number; key?: string }) => {
		const read = await startMainThreadClock(page);
		if (input.key) await page.keyboard.down(input.key);
		await page.mouse.wheel(input.x, input.y);
		await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
		if (input.key) await page.keyboard.up(input.key);
		return (await read()).script;
	};
	const inputs = {
		'zooming in': { x: 0, y: -100, key: 'Control' },
		panning: { x: 60, y: 0 },
		'zooming out': { x: 0, y: 100, key: 'Control' },
	};
	for (const [name, input] of Object.entries(inputs)) {
		const took: number[] = [];
		for (let n = 0; n < FRAMES; n += 1) {
			took.push(await frame(input));
			// Rows of what is in view come while the reader rests.
			if (n % 10 === 9) await page.waitForTimeout(400);
		}
		report(
			`lanes of ${LANES} events, ${name}: script a frame, p50, p95`,
			[0.5, 0.95].map((q) => ms(quantile(took, q))).join(', '),
			'< 16 ms',
		);
		report('the longest', ms(Math.max(...took)));
	}
}

/** Ms from the key to the painted palette, the first time and later. */
async function measurePalette(browser: Browser, server: RunningServer): Promise<void> {
	const page = await signedInPage(browser, server);
	await page.waitForTimeout(4000);
	const open = async () => {
		await page.evaluate(() => {
			window.opened = new Promise((resolve) => {
				const onKey = ({ key, timeStamp }: KeyboardEvent) => {
					if (key !== 'k') return;
					window.removeEventListener('keydown', onKey, true);
					const checkFrame = () => {
						const isOpen = document.activeElement?.getAttribute('role') === 'combobox';
						if (isOpen) setTimeout(() => resolve(performance.now() - timeStamp));
						else requestAnimationFrame(checkFrame);
					};
					requestAnimationFrame(checkFrame);
				};
				window.addEventListener('keydown', onKey, true);
			});
		});
		await page.keyboard.press('Control+k');
		const took = await page.evaluate(() => window.opened);
		await page.keyboard.press('Escape');
		await page.getByRole('combobox', { name: 'Find anything' }).waitFor({ state: 'detached' });
		return took ?? Number.NaN;
	};
	const took: number[] = [];
	for (let n = 0; n < OPENINGS; n += 1) took.push(await open());
	report('the palette opens for the first time', ms(took[0] ?? Number.NaN), '< 50 ms');
	report('later, p50, p95', [0.5, 0.95].map((q) => ms(quantile(took.slice(1), q))).join(', '), '< 50 ms');
	await page.context().close();
}

const server = await startServer();
const browser = await launchBrowser();
try {
	begin(`a wall of ${WALL_SESSIONS} sessions at ${PER_SECOND} events a second`);
	const poster = createPoster(server.socketPath);
	for (const input of wallBeginnings()) await poster.post(input);
	poster.close();
	const page = await signedInPage(browser, server);
	await page
		.getByRole('link', { name: /npm test/ })
		.first()
		.waitFor();
	await page.waitForTimeout(3000);
	await measureLive(server, page, 'Home');
	await page.goto('/sessions/wall-7');
	await page.getByRole('button', { name: /echo/ }).first().waitFor();
	await page.waitForTimeout(3000);
	await measureLive(server, page, 'a session');
	await measurePalette(browser, server);
	writeStory(server.home, 'lanes', Date.now() - 6 * 3_600_000, manyCalls());
	await settledEvents(server.home, WALL_SESSIONS + 2 * SECONDS * PER_SECOND + LANES);
	await measureLanes(page);
} finally {
	await browser.close();
	await server.dispose();
}
