/*
 * `npm run bench paint`: from the line on the timeline to the painted row, at 200 events a second, in Chromium; and the
 * frames of a tree of 10,000 calls while it is scrolled.
 */
import type { Page } from '@playwright/test';
import { type StoryLine, writeStory } from '#server/testing/story.ts';
import { launchBrowser, signedInPage } from './rig/browser.ts';
import { shownCall, startClockedServer } from './rig/clocked-server.ts';
import { startMainThreadClock } from './rig/main-thread.ts';
import { paintedMarks, watchMarks } from './rig/painted-marks.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report } from './rig/report.ts';
import { createPoster, paced } from './rig/steady-load.ts';

const SESSION = 'paint';
const PER_SECOND = 200;
const COUNT = 2000;
const WARM_UP = 400;

const LONG = 'long-tree';
const STAGES = 100;
const CALLS = 100;
const FRAMES = 600;
/** So far (px) each frame scrolls: a page in a quarter of a second. */
const STEP = 50;

/** A stage of an agent with so many calls of two tools by turns, so that none of them fold. */
const stage = (nth: number): StoryLine[] => [
	{ type: 'stage:start', stage: `DEV:${nth}`, after: 1 },
	{ type: 'agent:start', agent: 'developer', stage: `DEV:${nth}`, agentId: `a${nth}` },
	...Array.from({ length: CALLS }, (_, at): StoryLine[] => {
		const call = { toolUseId: `t${nth}-${at}`, tool: at % 2 === 0 ? 'Bash' : 'Read', agentId: `a${nth}` };
		return [
			{ type: 'tool:call', ...call, input: { command: `step ${at}`, file_path: `/p/${at}.ts` } },
			{ type: 'tool:result', ...call, response: 'ok', after: 1 },
		];
	}).flat(),
	{ type: 'agent:complete', agent: 'developer', stage: `DEV:${nth}`, agentId: `a${nth}`, result: 'pass' },
	{ type: 'stage:complete', stage: `DEV:${nth}`, result: 'pass' },
];

/** How long (ms) each frame took while the story was scrolled up from its end. */
const scrolledFrames = (page: Page, frames: number, step: number) =>
	page.evaluate(
		({ frames, step }) =>
			new Promise<number[]>((resolve) => {
				const box = document.querySelector('ul[aria-label="Story"]')?.parentElement;
				const took: number[] = [];
				let last = performance.now();
				const onFrame = (now: number) => {
					took.push(now - last);
					last = now;
					box?.scrollBy(0, -step);
					if (took.length > frames) resolve(took.slice(1));
					else requestAnimationFrame(onFrame);
				};
				requestAnimationFrame(onFrame);
			}),
		{ frames, step },
	);

const server = await startClockedServer();
const browser = await launchBrowser();
try {
	begin(`append to painted row, ${PER_SECOND} events a second in one session`);
	const poster = createPoster(server.socketPath);
	await poster.post(shownCall(SESSION, 0));
	const page = await signedInPage(browser, server);
	await page.goto(`/sessions/${SESSION}`);
	await page.getByText('bench-mark-0-').first().waitFor();
	await watchMarks(page);
	const readMainThread = await startMainThreadClock(page);
	await paced(WARM_UP + COUNT, 1000 / PER_SECOND, (n) => poster.post(shownCall(SESSION, n + 1)));
	poster.close();
	await page.waitForTimeout(500);
	const busy = await readMainThread();
	const painted = await paintedMarks(page);
	writeStory(server.home, LONG, Date.now() - 86_400_000, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		{ type: 'workflow:start', workflowType: 'standard', stages: Array.from({ length: STAGES }, (_, n) => `DEV:${n}`) },
		...Array.from({ length: STAGES }, (_, nth) => stage(nth)).flat(),
	]);
	await page.goto(`/sessions/${LONG}`);
	await page.getByRole('list', { name: 'Story' }).getByRole('button').nth(5).waitFor();
	const frames = await scrolledFrames(page, FRAMES, STEP);
	const moments = await server.moments();
	const took = painted
		.filter(([mark]) => mark > WARM_UP)
		.map(([mark, at]) => at - (moments.get(mark)?.wall ?? Number.NaN));
	report('p50', ms(quantile(took, 0.5)));
	report('p95', ms(quantile(took, 0.95)), '< 50 ms');
	report('p99', ms(quantile(took, 0.99)));
	report('rows seen on screen', `${took.length} of ${COUNT}`);
	const anEvent = (time: number) => ms(time / (WARM_UP + COUNT));
	report('processor time of the page for each event', anEvent(busy.all));
	report('of it scripts, layout, style', [busy.script, busy.layout, busy.style].map(anEvent).join(', '));

	begin(`a tree of ${STAGES * CALLS} calls, scrolled ${STEP} px a frame`);
	report('frames a second', (1000 / (frames.reduce((sum, took) => sum + took, 0) / frames.length)).toFixed(1), '> 58');
	report('p50 of a frame', ms(quantile(frames, 0.5)), '< 17 ms');
	report('p95 of a frame', ms(quantile(frames, 0.95)), '< 20 ms');
} finally {
	await browser.close();
	await server.dispose();
}
