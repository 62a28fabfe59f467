import { existsSync } from 'node:fs';

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The whole browser: only it has notifications, and its own pages cost each test a sixth more. */
export const WHOLE_BROWSER = process.env.PLAYWRIGHT_CHROMIUM ?? '/usr/bin/chromium';

/** What every browser under test starts with: the same engine without a window around it, where it is installed. */
export const launchOptions = {
	executablePath: process.env.PLAYWRIGHT_CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : WHOLE_BROWSER),
	args: [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	],
};
