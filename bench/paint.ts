/* `npm run bench paint`: from the line on the timeline to the painted row, at 200 events a second, in Chromium. */
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
} finally {
	await browser.close();
	await server.dispose();
}
