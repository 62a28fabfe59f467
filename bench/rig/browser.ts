import { type Browser, chromium, type Page } from '@playwright/test';
import type { RunningServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import config from '../../playwright.config.ts';

/** The browser that the end-to-end tests use. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(config.use?.launchOptions);

/** A page of a fresh browser profile (nothing is cached) that is signed in and shows the list of sessions. */
export async function signedInPage(browser: Browser, server: RunningServer): Promise<Page> {
	const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
	// tsx names functions by this; those that are sent into the page would miss it there.
	await context.addInitScript('globalThis.__name = (it) => it');
	const page = await context.newPage();
	await page.goto((await signalbox(server.home, ['open'])).replace(/^Open /, ''));
	await page.waitForURL((url) => url.pathname !== '/login');
	return page;
}
