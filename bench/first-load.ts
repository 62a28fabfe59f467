/* `npm run bench first-load`: the JavaScript that a browser downloads for the page of a session. */
import { gzipSync } from 'node:zlib';
import { startServer } from '#e2e/rig/running-server.ts';
import { bashCall } from './rig/bash-call.ts';
import { launchBrowser, signedInPage } from './rig/browser.ts';
import { begin, report } from './rig/report.ts';
import { createPoster } from './rig/steady-load.ts';

const SESSION = 'first-load';
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

const server = await startServer();
const browser = await launchBrowser();
try {
	begin('first load of the page of a session');
	const poster = createPoster(server.socketPath);
	await poster.post(bashCall(SESSION, 'toolu_1'));
	poster.close();
	const page = await signedInPage(browser, server);
	const fresh = await page.context().newPage();
	const cdp = await page.context().newCDPSession(fresh);
	await cdp.send('Network.enable');
	await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
	const scripts = new Set<string>();
	let transferred = 0;
	cdp.on('Network.responseReceived', ({ type, requestId }) => {
		if (type === 'Script') scripts.add(requestId);
	});
	cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
		if (scripts.has(requestId)) transferred += encodedDataLength;
	});
	await fresh.goto(`/sessions/${SESSION}`, { waitUntil: 'networkidle' });
	await fresh.getByText('npm test').first().waitFor();
	let raw = 0;
	let gzip = 0;
	for (const requestId of scripts) {
		const { body } = await cdp.send('Network.getResponseBody', { requestId });
		raw += Buffer.byteLength(body);
		gzip += gzipSync(body).length;
	}
	report('JavaScript, gzip', kilobytes(gzip), '< 280 kB');
	report('as the server really sent it, headers included', kilobytes(transferred));
	report('unpacked', kilobytes(raw));
	report('files', String(scripts.size));
} finally {
	await browser.close();
	await server.dispose();
}
