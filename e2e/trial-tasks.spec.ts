import { type StoryLine, stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { agentCall, planFor } from './rig/routing.ts';

/*
 * What somebody does on an ordinary day, as they would say it, with the clicks that it takes from the page that is open
 * anyway. Other days are told in the specs of their pages.
 */

const DAY = 24 * 3_600_000;

/** A call that a rule denied. */
const denied = (id: string, command: string, rule: string): StoryLine[] => [
	{ type: 'tool:call', toolUseId: id, tool: 'Bash', input: { command }, after: 5 },
	{
		...{ type: 'gate:verdict', toolUseId: id, gate: 'command-policy', decision: 'deny', rule },
		...{ reason: `no ${command}`, facts: {} },
	},
];

test('let it run from the phone: 1 tap', async ({ ownServer, operatorPage, project, hook }) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const page = await operatorPage('/', { server, viewport: { width: 390, height: 844 }, touch: true });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'on-the-way', cwd: dir, agent: 'architect' }), { server });
	const row = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
	await expect(row).toContainText('architect is not in the plan');
	const approve = row.getByRole('button', { name: 'Approve' });
	await expect(approve).toBeEnabled();
	await approve.tap();
	expect((await waiting.ended).stdout).toContain('"allow"');
});

test('which rule denied how often, and who let it run, day by day: Decisions, By rule and person; 2 clicks', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	for (const [nth, daysAgo] of [9, 4, 3].entries()) {
		writeStory(server.home, `day-${nth}`, Date.now() - daysAgo * DAY, [
			{ type: 'session:start', project: 'shop', branch: 'main' },
			...denied(`a-${nth}`, 'curl x', 'command.network'),
			...(nth > 0 ? denied(`b-${nth}`, 'rm -rf x', 'command.excluded') : []),
			{ type: 'session:end', reason: 'exit', after: 1 },
		]);
	}
	const page = await operatorPage('/', { server });
	await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Decisions' }).click();
	const charts = page.getByRole('region', { name: 'Over time' });
	await expect(charts.getByRole('img', { name: /^Denied, did not run: 5 in all/ })).toBeVisible();
	await charts.getByRole('button', { name: 'By rule and person' }).click();
	await expect(page).toHaveURL(/by=rule/);
	await expect(charts.getByRole('img', { name: /^command.network: 3 in all, most on .*: 1$/ })).toBeVisible();
	await expect(charts.getByRole('row').nth(2)).toContainText('command.excluded');
	await charts.getByText('Day by day, as a table').click();
	await expect(charts.getByRole('table', { name: 'Denied, did not run, by rule' }).getByRole('row')).toHaveCount(4);
	expect(await axeFindings(page)).toEqual([]);
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
		0,
	);
	// On a phone the list comes first, so that the charts are opened.
	await page.getByText(/^\d+ denied, \d+ overridden$/).click();
	await expect(charts).toContainText('No person decided any of these.');
});

test('go to what was denied in an archived feature: Features, its denials; 2 clicks', async ({
	ownServer,
	operatorPage,
	project,
	archiveFeature,
}) => {
	const server = await ownServer();
	const { dir, write } = await project({ name: 'shop', server });
	write('specs/features/in-progress/cart/tasks.md', '---\nfeature: cart\n---\n- [x] DEV\n');
	writeStory(server.home, 'done', Date.now() - 600_000, [
		{ type: 'session:start', cwd: dir, project: 'shop' },
		{ type: 'specs:init', featureName: 'cart' },
		...stageLines('PLAN', 'planner', 'pass'),
		...denied('c-1', 'curl x', 'command.network'),
		...stageLines('DEV', 'developer', 'pass'),
		{ type: 'session:end', reason: 'exit' },
	]);
	await archiveFeature(server);
	const page = await operatorPage('/', { server });
	await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Features' }).click();
	await page.getByRole('region', { name: 'Archive' }).getByRole('link', { name: '1: go to the first denial' }).click();
	await expect(page.getByRole('region', { name: 'Chapters' }).locator('[aria-current]')).toContainText('no curl x');
	await expect(page.getByRole('list', { name: 'Story' }).getByRole('listitem').last()).toContainText('curl x');
});

test('find what failed among thousands of events: Filter, failed; 2 clicks in its story', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const call = (nth: number) => ({ toolUseId: `t-${nth}`, tool: 'Bash' });
	writeStory(server.home, 'busy', Date.now() - DAY / 2, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		...Array.from({ length: 2500 }, (_, nth): StoryLine[] => [
			{ type: 'tool:call', ...call(nth), input: { command: `step ${nth}` }, after: 1 },
			nth % 500 === 499
				? { type: 'tool:error', ...call(nth), error: 'exit 1' }
				: { type: 'tool:result', ...call(nth), response: 'ok' },
		]).flat(),
	]);
	const page = await operatorPage('/sessions/busy', { server });
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by decision' }).selectOption('failed');
	await expect(page).toHaveURL(/decision=failed/);
	await expect(page.getByRole('list', { name: 'Story' })).toContainText('step 2499');
	await expect(page.getByRole('list', { name: 'Story' })).not.toContainText('step 2498');
});
