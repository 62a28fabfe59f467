import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { writeArchivedCarts } from '#server/cli/demo-recording.ts';
import { stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings, findingsInBothThemes } from './rig/axe-findings.ts';

test.use({ trace: 'off' });

async function writeCarts(home: string): Promise<void> {
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeArchivedCarts(home, project, Date.now());
}

test('the demo’s two carts: 1 click from Features says where they first went apart; another opens it in its recording', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	await writeCarts(server.home);
	const page = await operatorPage('/features', { server });
	await page.getByRole('link', { name: 'Compare two of them' }).click();

	const apart = page.getByRole('region', { name: 'Where they went apart' });
	await expect(apart.getByText(/^After TEST: Bash sudo npm install .* in the second run only\.$/)).toBeVisible();
	await expect(page.getByRole('region', { name: 'And after that' }).getByRole('row').nth(1)).toContainText(
		/^REVIEW ?passed .*rejected /,
	);
	await expect(page.getByRole('region', { name: 'Stages on one scale' })).toContainText('≠ TEST');
	const stories = page.getByRole('region', { name: 'Both stories' });
	await expect(stories.getByRole('group').filter({ hasText: /DEV\s*run 2/ })).toContainText('This run has none.');
	expect(await axeFindings(page)).toEqual([]);

	await expect(page.getByRole('region', { name: 'What it cost more' })).toContainText('Retries 0 → 1 (+1)');
	const differences = page.getByRole('region', { name: 'Differences' });
	await expect(differences.getByRole('row', { name: /^In all Retries 0 1 \+1$/ })).toBeVisible();
	await differences.getByRole('button', { name: 'Difference', exact: true }).click();
	await expect(differences.getByRole('columnheader', { name: 'Difference' })).toHaveAttribute(
		'aria-sort',
		'descending',
	);
	await expect(page).toHaveURL(/sort=size/);

	const trend = page.getByRole('region', { name: 'Over time' });
	await expect(trend.getByRole('img', { name: /^Retries: first 0, last 1, most 1$/ })).toBeVisible();
	await trend.getByText('As a table').click();
	await expect(trend.getByRole('row')).toHaveCount(3);

	await apart
		.getByRole('link', { name: /^Second run: / })
		.first()
		.click();
	await expect(page).toHaveURL(
		/\/features\/[^?]+cart\?session=cart-again&at=\d+&row=call%3Acart-denied|row=call:cart-denied/,
	);
	await expect(page.getByText('sudo npm install --global tax-rates').first()).toBeVisible();
});

test('a session is compared with the one before it, by keyboard; what is not recorded is answered with help', async ({
	ownServer,
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/404 \(Not Found\)/);
	const server = await ownServer();
	const begin = { type: 'session:start', cwd: '/tmp/shop', project: 'shop' };
	const start = { type: 'workflow:start', workflowType: 'standard', stages: ['PLAN', 'DEV'] };
	const now = Date.now();
	writeStory(server.home, 'before', now - 7_200_000, [
		...[begin, start, ...stageLines('PLAN', 'planner', 'pass'), ...stageLines('DEV', 'developer', 'fail')],
		{ type: 'session:end', reason: 'exit' },
	]);
	writeStory(server.home, 'now', now - 60_000, [begin, start, ...stageLines('PLAN', 'architect', 'pass')]);
	const page = await operatorPage('/sessions/now?tab=overview', { server });
	await page.getByRole('link', { name: 'Compare with predecessor' }).press('Enter');
	const apart = page.getByRole('region', { name: 'Where they went apart' });
	await expect(apart).toContainText('PLAN: planner was started in the first run, architect in the second.');
	// DEV has not come yet.
	await expect(page.getByRole('region', { name: 'And after that' })).toHaveCount(0);
	await expect(page.getByRole('combobox', { name: 'First run' })).toHaveValue('before');
	await page.getByRole('button', { name: 'Swap' }).press('Enter');
	await expect(page).toHaveURL(/a=now&b=before/);
	await expect(apart).toContainText('PLAN: architect was started in the first run, planner in the second.');

	await page.goto('/compare?a=nobody&b=now');
	await expect(page.getByRole('alert').filter({ hasText: 'Nothing recorded here is called "nobody"' })).toBeVisible();
	await expect(page.getByText('Choose the two runs above')).toBeVisible();
	expect(await axeFindings(page)).toEqual([]);
});

test('on a phone nothing is wider than the page, in either theme', async ({ ownServer, operatorPage }) => {
	const server = await ownServer();
	await writeCarts(server.home);
	const page = await operatorPage('/compare?a=previous&b=cart', {
		server,
		viewport: { width: 390, height: 844 },
		touch: true,
	});
	await expect(page.getByRole('region', { name: 'Where they went apart' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'Over time' }).getByRole('img')).toHaveCount(6);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	expect(await findingsInBothThemes(page)).toEqual([]);
});
