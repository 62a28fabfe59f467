/* `npm run bench wall-memory`: what an open Home and an open session hold while 30 sessions are at work for 30 minutes. */
import type { Page } from '@playwright/test';
import { startServer } from '#e2e/rig/running-server.ts';
import { launchBrowser, signedInPage } from './rig/browser.ts';
import { memoryOf } from './rig/process-usage.ts';
import { begin, megabytes, report, times } from './rig/report.ts';
import { createPoster, paced } from './rig/steady-load.ts';
import { WALL_SESSIONS, wallBeginnings, wallInput } from './rig/wall-load.ts';

const PER_SECOND = 50;
const MINUTES = 30;
const PARTS = 6;

/** Bytes that a page's scripts hold once what nobody holds is collected, and its nodes. */
async function heldBy(page: Page): Promise<{ bytes: number; nodes: number }> {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('HeapProfiler.collectGarbage');
	await cdp.send('Performance.enable');
	const { metrics } = await cdp.send('Performance.getMetrics');
	await cdp.detach();
	const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
	return { bytes: of('JSHeapUsedSize'), nodes: of('Nodes') };
}

const server = await startServer();
const browser = await launchBrowser();
try {
	begin(`${MINUTES} minutes of ${WALL_SESSIONS} sessions at ${PER_SECOND} events a second`);
	const poster = createPoster(server.socketPath);
	for (const input of wallBeginnings()) await poster.post(input);
	const home = await signedInPage(browser, server);
	const session = await signedInPage(browser, server);
	await session.goto('/sessions/wall-7');
	const parts: { home: number; session: number; server: number }[] = [];
	for (let part = 0; part < PARTS; part += 1) {
		const count = (MINUTES * 60 * PER_SECOND) / PARTS;
		await paced(count, 1000 / PER_SECOND, (at) => poster.post(wallInput(part * count + at, 'memory')));
		const [ofHome, ofSession] = [await heldBy(home), await heldBy(session)];
		const ofServer = memoryOf(server.pid()).now;
		parts.push({ home: ofHome.bytes, session: ofSession.bytes, server: ofServer });
		const minute = ((part + 1) * MINUTES) / PARTS;
		const sizes = [ofHome.bytes, ofSession.bytes, ofServer].map(megabytes).join(', ');
		report(`after ${minute} min: Home, a session, the server`, sizes);
		report('nodes of Home, of the session', [ofHome.nodes, ofSession.nodes].join(', '));
	}
	poster.close();
	const [first, last] = [parts[0], parts.at(-1)];
	if (!first || !last) throw new Error('There are no parts.');
	report('Home, last sixth / first', times(last.home / first.home), '1 x');
	report('a session, last sixth / first', times(last.session / first.session), '1 x');
	report('the server, last sixth / first', times(last.server / first.server), '1 x');
} finally {
	await browser.close();
	await server.dispose();
}
