import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { agentCall, planFor } from './rig/routing.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

// A trace of axe at work is large, slow and of no use: the findings say what and where.
test.use({ trace: 'off' });

/** What axe finds; in the other theme it looks again at what a theme can change. */
async function findings(page: Page): Promise<string[]> {
	await page.emulateMedia({ colorScheme: 'dark' });
	const dark = await axeFindings(page);
	await page.emulateMedia({ colorScheme: 'light' });
	return [...dark, ...(await axeFindings(page, ['color-contrast', 'link-in-text-block']))];
}

for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
	test(`every page is accessible in both themes, with data on it: ${size}`, async ({
		ownServer,
		operatorPage,
		project,
		hook,
		expectConsole,
	}) => {
		test.setTimeout(180_000);
		expectConsole(/404 \(Not Found\).*\/nothing/);
		const server = await ownServer();
		const page = await operatorPage('/', { server, viewport });
		const visit = async (path: string, shows: () => Promise<void>) => {
			await page.goto(path);
			await shows();
			await expect(page.getByText('Live', { exact: true })).toBeVisible();
			expect(await findings(page), path).toEqual([]);
		};
		const seesText = (text: string) => () =>
			expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
		const seesRow = () => expect(page.getByRole('list', { name: 'Story' }).getByRole('button').first()).toBeVisible();
		await visit('/', seesText('No sessions yet'));
		await visit('/approvals', seesText('Nothing waits for you'));
		await visit('/status', seesText('None recorded on this machine yet'));

		for (const input of recordedRun('a04-parallel-agents', 'ended')) await postHook(server.socketPath, input);
		for (const input of recordedRun('cmp330-a03-default-background', 'running').slice(0, 8)) {
			await postHook(server.socketPath, input);
		}
		const { dir } = await project({ name: 'checkout', plan: planFor('developer', 'tester'), server });
		// Its hook says no time to wait, so nobody is asked.
		await postHook(server.socketPath, agentCall({ sessionId: 'unasked', cwd: dir, agent: 'reviewer' }));
		hook(agentCall({ sessionId: 'waiting', cwd: dir, agent: 'architect' }), { server });
		// A page that is just being left is nobody to wait for.
		await seesText('architect is not in the plan')();

		await visit('/', seesText('Needs you'));
		await visit('/approvals', async () => {
			await expect(page.getByRole('article')).toBeVisible();
			const unasked = page.getByRole('region', { name: 'Denied, and nobody was asked' });
			await unasked.getByRole('button', { name: 'Allow the next try…' }).click();
			await expect(unasked).toContainText('It would have overridden 1 recorded denial');
		});
		await visit('/sessions/ended', seesRow);
		await visit('/sessions/running', () => expect(page.getByRole('list', { name: 'Active agents' })).toBeVisible());
		await visit('/sessions/waiting?row=call:toolu_waiting', () => expect(page.getByRole('article')).toBeVisible());
		for (const tab of ['plan', 'verdicts', 'raw']) {
			await visit(`/sessions/waiting?tab=${tab}`, () => expect(page.getByRole('tabpanel')).toBeVisible());
		}
		await visit('/sessions/none', seesText('There is no such session'));
		await visit('/nothing', seesText('There is nothing here'));
	});
}

test('the sign-in page is accessible', async ({ server, page }) => {
	await page.goto(`${server.url}/login`);
	await expect(page.getByText('You are not signed in.')).toBeVisible();
	expect(await findings(page)).toEqual([]);
});

test('the story, its detail and the way back work by keyboard alone', async ({ server, operatorPage }) => {
	for (const input of recordedRun('a01-basic', 'by-keyboard')) await postHook(server.socketPath, input);
	const page = await operatorPage('/sessions/by-keyboard');
	const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
	await expect(rows.last()).toContainText('Session ended');
	await rows.last().focus();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/row=/);
	const focused = await rows.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
	expect(focused).toBe((await rows.count()) - 3);
	await page.keyboard.press('Escape');
	await expect(page).not.toHaveURL(/row=/);
	await page.keyboard.press('?');
	await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);
});
