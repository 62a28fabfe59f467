import { chromium, type Page } from '@playwright/test';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import config from '../../playwright.config.ts';
import type { SoakFixture } from './soak-fixture.ts';

/** Does something in a browser of a person who has just signed in. */
export async function inBrowser<T>({ server }: SoakFixture, work: (page: Page) => Promise<T>): Promise<T> {
	const browser = await chromium.launch(config.use?.launchOptions ?? {});
	try {
		const page = await browser.newPage({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
		await page.goto((await signalbox(server.home, ['open'])).replace(/^Open /, ''));
		await page.waitForURL((url) => url.pathname !== '/login');
		return await work(page);
	} finally {
		await browser.close();
	}
}
