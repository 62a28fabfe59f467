/* `npm run bench long-session`: one session of 100,000 events beside one of 1,000: its page, its ingest, the memory. */
import type { Browser } from '@playwright/test';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { bashCall, bashResult } from './rig/bash-call.ts';
import { launchBrowser, signedInPage } from './rig/browser.ts';
import { settledEvents } from './rig/indexed-events.ts';
import { loadDoor } from './rig/load-door.ts';
import { cpuMs, memoryOf } from './rig/process-usage.ts';
import { median } from './rig/quantile.ts';
import { begin, megabytes, ms, perSecond, report, times } from './rig/report.ts';

const PARTS = 10;
const PART = 10_000;
const SHORT = 1_000;
const PAGES = 7;

/** Calls and their results, as many of each. */
const load = (server: RunningServer, sessionId: string, part: number, amount: number) =>
	loadDoor({
		kept: true,
		socketPath: server.socketPath,
		connections: 2,
		amount,
		bodies: [bashCall(sessionId, `toolu_${part}_NNNNNNNN`), bashResult(sessionId, `toolu_${part}_NNNNNNNN`)],
	});

/** Ms from the start of the navigation to the painted story, and to the first paint of anything. */
async function openPage(browser: Browser, server: RunningServer, sessionId: string) {
	const page = await signedInPage(browser, server);
	await page.goto(`/sessions/${sessionId}`, { waitUntil: 'commit' });
	const story = await page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				const checkFrame = () => {
					if (document.body?.textContent?.includes('npm test')) requestAnimationFrame(() => resolve(performance.now()));
					else requestAnimationFrame(checkFrame);
				};
				checkFrame();
			}),
	);
	const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
	await page.context().close();
	return { story, first: first ?? Number.NaN };
}

const server = await startServer();
const browser = await launchBrowser();
try {
	begin(`one session of ${PARTS * PART} events beside one of ${SHORT}`);
	report('memory of the server at its start', megabytes(memoryOf(server.pid()).now));
	await load(server, 'short', 0, SHORT);
	const parts: { rate: number; cpu: number }[] = [];
	let sent = SHORT;
	for (let part = 1; part <= PARTS; part += 1) {
		const before = cpuMs(server.pid());
		const { accepted, rate } = await load(server, 'long', part, PART);
		sent += accepted;
		parts.push({ rate, cpu: ((cpuMs(server.pid()) - before) / PART) * 1000 });
	}
	report('accepted hooks / events in the index', `${sent} / ${await settledEvents(server.home, sent)}`, 'equal');
	const memory = memoryOf(server.pid());
	report(
		'memory of the server at the end (highest)',
		`${megabytes(memory.now)} (${megabytes(memory.peak)})`,
		'< 350 MB',
	);
	// The first part warms the server up.
	const [, start, ...others] = parts;
	const end = others.at(-1);
	if (!start || !end) throw new Error('There are too few parts.');
	report('hooks a second in the second tenth', perSecond(start.rate));
	report('last tenth / second tenth', times(end.rate / start.rate), '> 0.9 x');
	report('the same by processor time of the server', times(start.cpu / end.cpu));

	const short: Awaited<ReturnType<typeof openPage>>[] = [];
	const long: Awaited<ReturnType<typeof openPage>>[] = [];
	for (let n = 0; n < PAGES; n += 1) {
		short.push(await openPage(browser, server, 'short'));
		long.push(await openPage(browser, server, 'long'));
	}
	const storyOf = (pages: typeof long) => median(pages.map(({ story }) => story));
	report('story on screen, short session', ms(storyOf(short)));
	report('long / short', times(storyOf(long) / storyOf(short)), '< 1.5 x');
	const firstOf = (pages: typeof long) => median(pages.map(({ first }) => first));
	report('first paint of anything, long / short', times(firstOf(long) / firstOf(short)), '< 1.5 x');
	report('memory of the server after the pages', megabytes(memoryOf(server.pid()).now), '< 350 MB');
} finally {
	await browser.close();
	await server.dispose();
}
