import type { Locator, Page } from '@playwright/test';
import { CURRENT_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, delegate } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { gate } from '#e2e/rig/gate.ts';
import { planFor } from '#e2e/rig/routing.ts';

test.describe.configure({ timeout: 120_000 });

const PHONE = { viewport: { width: 390, height: 844 }, touch: true };

/** Nothing is wider than the phone, and what is to be tapped is as high as a thumb needs. */
async function fitsThePhone(page: Page, target?: Locator): Promise<void> {
	const wide = await page.evaluate(
		() =>
			[...document.querySelectorAll('html, main, [role=dialog]')].filter((one) => one.scrollWidth > one.clientWidth)
				.length,
	);
	expect(wide).toBe(0);
	if (target) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(36);
}

test('Claude Code 2.1.330: a stranger with a phone sees why a sub-agent was denied, overrides it once, watches it run, and finds who allowed it', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	const server = await ownServer();
	const shop = await project({ name: 'shop', agents: ['architect'], plan: planFor('developer'), server });
	const [again, work, end] = [gate(), gate(), gate()];
	const ask = { blocks: [delegate('architect', 'Design the cart.', { background: false })] };
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: {
			main: [ask, { ...ask, after: again.opened }, { blocks: [{ text: 'Designed.' }], after: end.opened }],
			architect: [
				call('Bash', { command: 'echo at-work' }),
				{ blocks: [{ text: 'Use a map of lines.' }], after: work.opened },
			],
		},
	});
	// Nobody has a page open: the model reads the denial at once.
	await agent.model.request(({ role, turn }) => role === 'main' && turn === 1);

	const page = await operatorPage('/', { server, ...PHONE });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	// R945
	await expect(page.getByRole('complementary', { name: 'Incidents' })).toHaveCount(0);
	await expect(page.getByRole('link', { name: /Running.*shop/ })).toContainText('architect not in plan, denied');
	await page.getByRole('link', { name: 'Approvals' }).filter({ visible: true }).tap();
	const line = page.getByRole('region', { name: 'Denied, and no one was asked' }).getByRole('listitem');
	await expect(line).toContainText('Agent → architect “Design the cart”');
	await expect(line).toContainText('architect is not in the plan');
	await fitsThePhone(page, line.getByRole('button', { name: 'Allow the next try…' }));
	await line.getByRole('button', { name: 'Allow the next try…' }).tap();
	await expect(line).toContainText('It lets run: agent architect while plan route-77');
	await line.getByLabel('Reason').fill('the data model comes first');
	await fitsThePhone(page, line.getByRole('button', { name: 'Allow it' }));
	await line.getByRole('button', { name: 'Allow it' }).tap();
	await expect(line).toContainText('Allowed for the next try until');

	again.open();
	const used = page.getByRole('region', { name: 'Overrides used' }).getByRole('link');
	await used.tap();
	const detail = page.getByRole('dialog', { name: 'Detail' });
	await expect(detail).toContainText('running');
	await fitsThePhone(page);
	await detail.getByRole('button', { name: 'Close' }).tap();
	const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
	await expect(rows.filter({ hasText: 'echo at-work' })).toContainText('ran');
	work.open();
	const overridden = rows.filter({ hasText: 'approved' });
	await expect(overridden).toContainText('ran');
	await fitsThePhone(page);
	end.open();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Designed.' });

	// Later, from the list of sessions.
	await page.goto('/');
	await page.getByRole('link', { name: /Ended.*shop/ }).tap();
	await overridden.tap();
	await expect(detail).toContainText('allowed by an operator’s grant for the next try “the data model comes first”');
	const by = /made by browser ([0-9a-f]{8})/.exec((await detail.textContent()) ?? '')?.[1] ?? 'nobody';
	await detail.getByRole('link', { name: 'Who that is' }).tap();
	const signIn = page.getByRole('region', { name: 'Sign-ins' }).getByRole('listitem').filter({ hasText: by });
	await expect(signIn).toContainText('this one');
	await fitsThePhone(page);
});
