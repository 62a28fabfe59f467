import { defineConfig } from '@playwright/test';

// Workers inherit the environment, so the port chosen by the first process holds for all of them.
process.env.SIGNALBOX_E2E_PORT ??= String(20_000 + Math.floor(Math.random() * 20_000));
const port = process.env.SIGNALBOX_E2E_PORT;

export default defineConfig({
	testDir: 'e2e',
	outputDir: 'test-results/playwright',
	reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
	forbidOnly: Boolean(process.env.CI),
	workers: 1,
	use: {
		baseURL: `http://localhost:${port}`,
		trace: 'retain-on-failure',
		launchOptions: {
			executablePath: process.env.PLAYWRIGHT_CHROMIUM ?? '/usr/bin/chromium',
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		},
	},
	webServer: {
		command: `node node_modules/next/dist/bin/next start -H 127.0.0.1 -p ${port}`,
		url: `http://127.0.0.1:${port}/`,
		gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
	},
});
