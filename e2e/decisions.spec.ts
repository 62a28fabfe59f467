import { readFileSync } from 'node:fs';
import { type StoryLine, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { agentCall, planFor } from './rig/routing.ts';

const DAY = 24 * 3_600_000;

/** A call that a rule denied and, with `ran`, ran all the same by a grant's line. */
function denied(id: string, command: string, rule: string): StoryLine[] {
	return [
		{ type: 'tool:call', toolUseId: id, tool: 'Bash', input: { command }, after: 5 },
		{
			type: 'gate:verdict',
			toolUseId: id,
			gate: 'command-policy',
			decision: 'deny',
			rule,
			reason: `no ${command}`,
			facts: {},
		},
	];
}

test('find last week’s denials of a rule: 1 click on Rules; then by time, as CSV, and back to the row', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeStory(server.home, 'old', Date.now() - 20 * DAY, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		...denied('call-1', 'rm -rf old', 'command.excluded'),
		{ type: 'session:end', reason: 'exit', after: 1 },
	]);
	writeStory(server.home, 'new', Date.now() - 2 * DAY, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		...denied('call-2', '=rm "new"', 'command.excluded'),
		...denied('call-3', 'curl x', 'command.network'),
		{ type: 'session:end', reason: 'exit', after: 1 },
	]);
	const page = await operatorPage('/rules', { server });
	await page.getByRole('button', { name: /^Commands that must not run/ }).click();
	const row = page.getByRole('row').filter({ hasText: 'command.excluded' });
	await row.getByRole('link', { name: '2: show these decisions' }).click();
	await expect(page).toHaveURL(/\/decisions\?.*rule=command.excluded/);
	const lines = page.getByRole('region', { name: 'Ledger' }).getByRole('link');
	await expect(lines).toHaveCount(2);
	await expect(page.getByText('2 decisions, the newest first')).toBeVisible();
	await expect(lines.first()).toContainText('denied by the rule');
	await expect(lines.first()).toContainText('not run');
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by time' }).selectOption('last 7 days');
	await expect(lines).toHaveCount(1);
	await expect(page).toHaveURL(/days=7/);
	expect(await axeFindings(page)).toEqual([]);

	const saved = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Save as CSV' }).click();
	const csv = readFileSync(await (await saved).path(), 'utf8');
	expect(csv.split('\r\n')).toHaveLength(3);
	expect(csv).toContain(`"'=rm ""new"""`);

	await page.getByRole('button', { name: /^rule/ }).click();
	await expect(lines).toHaveCount(2);
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
		0,
	);
	await lines.filter({ hasText: 'curl x' }).click();
	await expect(page).toHaveURL(/\/sessions\/new\?row=call/);
});

test('find last week’s overrides: Decisions, Overridden; 2 clicks, and by time', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	writeStory(server.home, 'new', Date.now() - 2 * DAY, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		...denied('call-1', 'curl x', 'command.network'),
		{ type: 'session:end', reason: 'exit', after: 1 },
	]);
	const page = await operatorPage('/approvals', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'let-run', cwd: dir, agent: 'architect' }), { server });
	const card = page.getByRole('article').filter({ hasText: 'architect' });
	await card.getByRole('textbox', { name: 'Reason' }).fill('the data model comes first');
	await card.getByRole('button', { name: 'Approve once' }).click();
	await waiting.ended;

	await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Decisions' }).click();
	const lines = page.getByRole('region', { name: 'Ledger' }).getByRole('link');
	await expect(lines).toHaveCount(2);
	const saved = page.getByRole('navigation', { name: 'Saved views' });
	await saved.getByRole('link', { name: 'Overridden' }).click();
	await expect(lines).toHaveCount(1);
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by time' }).selectOption('last 7 days');
	await expect(lines).toHaveCount(1);
	await expect(lines).toContainText('approved');
	await expect(lines).toContainText('the data model comes first');

	await expect(lines).toContainText('its agent called nothing more');
	await saved.getByRole('button', { name: 'Save this view' }).click();
	await saved.getByRole('textbox', { name: 'Name of the view' }).fill('overrides this week');
	await saved.getByRole('button', { name: 'Save', exact: true }).click();
	await saved.getByRole('link', { name: 'Denied' }).click();
	await expect(lines).toContainText(['curl x']);
	await page.reload();
	await saved.getByRole('link', { name: 'overrides this week' }).click();
	await expect(lines).toContainText(['the data model comes first']);
	await expect(page).toHaveURL(/followed=true/);
	expect(await axeFindings(page)).toEqual([]);
});
