import type { Locator, Page } from '@playwright/test';
import { CURRENT_CLIENT, OLDEST_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, delegate, replyText, type ScriptedRequest } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { gate } from '#e2e/rig/gate.ts';
import { openFromList } from '#e2e/rig/open-from-list.ts';
import { planFor } from '#e2e/rig/routing.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';

const rowsOf = (page: Page): Locator => page.getByRole('list', { name: 'Story' }).getByRole('button');
const agentsOf = (page: Page): Locator => rowsOf(page).filter({ hasText: 'running' });

/** What the model read of its tool calls, as the Messages API received it. */
const readBy = (requests: readonly ScriptedRequest[], role: string) =>
	requests.filter((request) => request.role === role).flatMap(({ toolResults }) => toolResults);

/** Opens the newest session of a project from the list, and reads it as rows. */
async function openSession(page: Page, project: string): Promise<void> {
	await openFromList(page, project);
	await expect(page.getByRole('main')).toContainText(project);
	await page.getByRole('button', { name: 'Rows', exact: true }).click();
}

test('Claude Code 2.1.330: agents appear live, in the background too, each with its own calls, and the session ends', async ({
	operatorPage,
	project,
}) => {
	const page = await operatorPage('/');
	const shop = await project({
		name: 'parallel-shop',
		agents: ['developer', 'tester'],
		plan: planFor('developer', 'tester'),
	});
	const [working, testing] = [gate(), gate()];
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: {
			main: [
				{
					blocks: [
						delegate('developer', 'Build the cart.'),
						delegate('tester', 'Test the cart.', { background: false }),
					],
				},
				replyText('Tested.'),
				replyText('Both are done.'),
			],
			developer: [
				call('Bash', { command: 'echo from-the-developer' }),
				{ blocks: [{ text: 'Built.' }], after: working.opened },
			],
			tester: [{ blocks: [{ text: 'Green.' }], after: testing.opened }],
		},
	});
	await openFromList(page, 'parallel-shop');
	await expect(agentsOf(page).filter({ hasText: 'background' })).toContainText('developer');
	await expect(agentsOf(page).filter({ hasText: 'tester' }).first()).toBeVisible();
	await page.getByRole('button', { name: 'Rows', exact: true }).click();
	const bash = rowsOf(page).filter({ hasText: 'echo from-the-developer' });
	await expect(bash).toContainText('developer');
	await expect(bash).toContainText('ran');

	testing.open();
	await expect(agentsOf(page).filter({ hasText: 'tester' })).toHaveCount(0);
	await expect(agentsOf(page).filter({ hasText: 'developer' }).first()).toBeVisible();
	working.open();
	await expect(agentsOf(page)).toHaveCount(0);

	expect(await agent.ended).toMatchObject({ exitCode: 0 });
	await expect(page.locator('header').getByText('Ended')).toBeVisible();
	await page.getByRole('tab', { name: 'Plan' }).click();
	await expect(page.getByRole('region', { name: 'Plan' }).getByText('done', { exact: true })).toHaveCount(2);
	await expect(page.getByRole('heading', { name: '2 of 2 tasks done nothing else ran' })).toBeVisible();
});

test('R256 Claude Code 2.1.330: a sub-agent outside the plan is denied, the model reads the reason and continues', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	// What other tests leave on a shared server may be a warning there.
	const server = await ownServer();
	const plan = planFor('developer');
	const shop = await project({ name: 'planned-shop', agents: ['architect', 'developer'], plan, server });
	const end = gate();
	const page = await operatorPage('/', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: {
			main: [
				{ blocks: [delegate('architect', 'Design the cart.', { background: false })] },
				{ blocks: [delegate('developer', 'Build the cart.', { background: false })], after: end.opened },
				replyText('Built by the plan.'),
			],
			architect: [replyText('Never asked.')],
			developer: [replyText('Built.')],
		},
	});
	await openSession(page, 'planned-shop');
	await page.getByRole('button', { name: 'Review' }).click();
	const card = page.getByRole('article');
	await expect(card).toContainText('is not in the plan, which has developer');
	await card.getByRole('textbox', { name: 'Reason' }).fill('stay with the plan');
	await card.getByRole('button', { name: 'Deny' }).click();

	const next = await agent.model.request(({ role, toolResults }) => role === 'main' && toolResults.length > 0);
	expect(next.toolResults).toMatchObject([
		{ isError: true, text: expect.stringContaining('architect not in expected [developer]') },
	]);
	expect(next.toolResults[0]?.text).toContain('stay with the plan');
	await expect(rowsOf(page).filter({ hasText: 'architect' })).toContainText('denied');
	end.open();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Built by the plan.' });
	expect(readBy(agent.model.requests, 'architect')).toEqual([]);
	expect(agent.model.requests.some(({ role }) => role === 'architect')).toBe(false);
	await expect(rowsOf(page).filter({ hasText: 'Agent → developer' })).toContainText('ran');
	await expect(page.locator('header').getByText('Ended')).toBeVisible();
	expect(server.output()).not.toContain(' warn ');
});

test('Claude Code 2.1.330: the same call, approved in the browser, runs', async ({ operatorPage, project }) => {
	const shop = await project({ name: 'approved-shop', agents: ['architect'], plan: planFor('developer') });
	const page = await operatorPage('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: {
			main: [{ blocks: [delegate('architect', 'Design the cart.', { background: false })] }, replyText('Designed.')],
			architect: [replyText('Use a map of lines.')],
		},
	});
	await openSession(page, 'approved-shop');
	await page.getByRole('button', { name: 'Review' }).click();
	const card = page.getByRole('article');
	expect(agent.model.requests.some(({ role }) => role === 'architect')).toBe(false);
	await card.getByRole('textbox', { name: 'Reason' }).fill('needed now');
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Designed.' });
	expect(readBy(agent.model.requests, 'main').map(({ text }) => text)).toEqual([
		expect.stringContaining('Use a map of lines.'),
	]);
	const row = rowsOf(page).filter({ hasText: 'Agent → architect' });
	await expect(row).toContainText('ran');
	await expect(row).toContainText(/approved.*: “needed now”/);
	await expect(page.getByRole('list', { name: 'Judgement' })).toContainText('architect not in plan, approved');
});

test('Claude Code 2.1.330: killed while it waits, the card closes and the session is lost', async ({
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'killed-shop', agents: ['architect'], plan: planFor('developer') });
	const page = await operatorPage('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: { main: [{ blocks: [delegate('architect', 'Design the cart.')] }] },
	});
	await openSession(page, 'killed-shop');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('article')).toContainText(/\ds left/);
	agent.kill('SIGKILL');
	expect(await agent.ended).toMatchObject({ signal: 'SIGKILL' });
	await expect(page.getByRole('article')).toContainText('the agent is gone');
	await expect(page.getByRole('article').getByRole('button', { name: /^(?:Approve|Deny)/ })).toHaveCount(0);
	await expect(page.locator('header').getByText('Lost')).toBeVisible();
});

test('R256 Claude Code 2.1.112, the compatibility subset: a denial holds, an approval runs, a stage is worked through, the session ends', async ({
	server,
	operatorPage,
	project,
	token,
	api,
}) => {
	const shop = await project({ name: 'old-shop', agents: ['architect', 'developer'], plan: planFor('developer') });
	const page = await operatorPage('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const started = gate();
	const agent = await shop.agent({
		version: OLDEST_CLIENT,
		script: {
			main: [
				{ blocks: [delegate('architect', 'Design the cart.', { background: false })] },
				{ blocks: [delegate('architect', 'Design it all the same.', { background: false })] },
				{ blocks: [delegate('developer', 'Build the cart.', { background: false })], after: started.opened },
				replyText('Built.'),
			],
			architect: [replyText('Use a map of lines.')],
			developer: [call('Bash', { command: 'echo by-the-old-one' }), replyText('Built.')],
		},
	});
	await openSession(page, 'old-shop');
	const card = page.getByRole('article');
	await page.getByRole('button', { name: 'Review' }).click();
	await card.getByRole('button', { name: 'Deny' }).click();
	await agent.model.request(({ role, turn }) => role === 'main' && turn === 1);
	expect(agent.model.requests.some(({ role }) => role === 'architect')).toBe(false);
	await page.getByRole('button', { name: 'Review' }).click();
	await card.getByRole('button', { name: 'Approve once' }).click();
	await agent.model.request(({ role, turn }) => role === 'main' && turn === 2);
	expect(readBy(agent.model.requests, 'main').map(({ text }) => text)).toContainEqual(
		expect.stringContaining('Use a map of lines.'),
	);
	const session = String(agent.messages.find(({ subtype }) => subtype === 'init')?.session_id);
	await signalbox(server.home, ['workflow', 'start', 'single', '--session', session], shop.dir);
	started.open();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Built.' });
	await expect(rowsOf(page).filter({ hasText: 'Agent → architect' }).first()).toContainText('denied');
	await expect(rowsOf(page).filter({ hasText: 'Agent → architect' }).nth(1)).toContainText('ran');
	await expect(rowsOf(page).filter({ hasText: 'echo by-the-old-one' })).toContainText('developer');
	// This client does not tell what an agent said last: that is no pass, and the stage says so.
	await expect(page.getByRole('list', { name: 'Stages' })).toContainText(/DEV.*done, no verdict/);
	await expect(page.locator('header').getByText(/^\W?Ended$/)).toBeVisible();
	const { sessions } = (await (await api('/api/sessions', await token('viewer'))).json()) as {
		sessions: { project?: string; counts: { deniedButRan: number } }[];
	};
	expect(sessions.find((one) => one.project === 'old-shop')?.counts.deniedButRan).toBe(0);
});
