import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/rig/chromium.ts';

export default defineConfig({
	testDir: 'e2e',
	outputDir: 'test-results/playwright',
	reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
	forbidOnly: Boolean(process.env.CI),
	// Each worker has a server and a browser of its own. They wait for agents and pages, so that four keep two cores busy.
	workers: 4,
	fullyParallel: true,
	// Bounds for a machine that is busy with other things; on an idle one nothing comes near them.
	timeout: 120_000,
	// Once more on a machine without a person: a page that was left in the wrong moment is named as flaky, not hidden.
	retries: process.env.CI ? 1 : 0,
	expect: { timeout: 30_000 },
	use: {
		// Tracing costs an eighth of the time: CI traces a second try, elsewhere `npm run e2e -- FILE --trace on` does.
		trace: process.env.CI ? 'on-first-retry' : 'off',
		// A click on what the page no longer has fails in its own time, not in that of a test which may take an hour.
		actionTimeout: 60_000,
		navigationTimeout: 60_000,
		launchOptions,
	},
});
