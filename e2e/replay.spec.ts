import { setTimeout } from 'node:timers/promises';
import { type StoryLine, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings, findingsInBothThemes } from './rig/axe-findings.ts';

/** In seconds. */
const MINUTE = 60;
/** A server that answers slowly: the address would change several times while a page is fetched. */
const SLOW_MS = 1000;
const verdict = {
	gate: 'routing-plan',
	rule: 'routing.agent-in-plan',
	facts: {},
	decision: 'deny',
	hook: 'PreToolUse',
};

/** Work with one long call in it, an hour of nothing, and a denial whose mismatch is recorded in the same millisecond. */
const story = (cwd: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop' },
	{ type: 'specs:init', featureName: 'cart' },
	{ type: 'prompt:submit', prompt: 'build the cart', source: 'user', after: 1 },
	{ type: 'stage:start', stage: 'PLAN', after: 1 },
	{ type: 'tool:call', toolUseId: 'long', tool: 'Bash', input: { command: 'npm test' }, after: 1 },
	{ type: 'tool:result', toolUseId: 'long', tool: 'Bash', response: 'ok', after: 10 * MINUTE },
	{ type: 'stage:complete', stage: 'PLAN', result: 'pass', after: 1 },
	{ type: 'stage:start', stage: 'DEV', after: 60 * MINUTE },
	{ type: 'tool:call', toolUseId: 't1', tool: 'Agent', input: { description: 'design' }, after: 5 },
	{ type: 'gate:verdict', toolUseId: 't1', ...verdict, reason: 'architect is not expected', after: 1 },
	{ type: 'routing:mismatch', toolUseId: 't1', planId: 'p', actual: 'architect', expected: ['developer'], after: 0 },
	{ type: 'prompt:submit', prompt: 'go on', source: 'user', after: 30 },
	{ type: 'stage:complete', stage: 'DEV', result: 'fail', after: 30 },
	{ type: 'session:end', reason: 'exit', after: 1 },
];

test.use({ trace: 'off' });

test('a recording is played and paused, its address holds the instant, and the chapter of the instant is marked', async ({
	ownServer,
	operatorPage,
	project,
	archiveFeature,
}) => {
	const server = await ownServer();
	const { dir, write } = await project({ name: 'shop', server });
	write('specs/features/in-progress/cart/tasks.md', '---\nfeature: cart\n---\n- [x] DEV\n');
	writeStory(server.home, 'cart-session', Date.now() - 100 * MINUTE * 1000, story(dir));
	const id = await archiveFeature(server);
	const page = await operatorPage(`/features/${id}`, { server });

	const chapters = page.getByRole('region', { name: 'Chapters' });
	const current = chapters.locator('[aria-current]');
	const slider = page.getByRole('slider', { name: 'Position' });
	// The axis is drawn once it knows its width.
	await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(100);
	const end = Number(await slider.getAttribute('max'));
	await expect(page.getByRole('heading', { name: 'The whole recording' })).toBeVisible();
	await expect(chapters.getByRole('listitem')).toHaveCount(3);

	// Two chapters of one moment: the one that was gone to is the one that is marked.
	await page.keyboard.press('n');
	await page.keyboard.press('d');
	await expect(current).toContainText('architect is not expected');
	await page.keyboard.press('.');
	await expect(current).toContainText('architect, expected developer');
	await expect(page).toHaveURL(/chapter=\d+/);
	await page.keyboard.press(',');
	await expect(current).toContainText('architect is not expected');
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('the plan expects developer');
	await chapters.getByRole('button', { name: 'Mismatches 1' }).click();
	await expect(chapters.getByRole('listitem')).toHaveCount(2);
	await chapters.getByRole('button', { name: 'Prompts 2' }).click();
	await expect(chapters.getByRole('listitem')).toHaveCount(4);
	await chapters.getByRole('listitem').first().getByRole('button').click();
	await expect(current).toContainText('build the cart');
	expect(await page.getByTestId('still-to-come').count()).toBeGreaterThan(0);
	// A call of ten minutes has its time on the axis.
	const early = Number(await slider.inputValue());
	expect(early).toBeLessThan(end / 10);
	await page.keyboard.press('.');
	await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(end / 2);

	await slider.press('Home');
	await page.getByRole('combobox', { name: 'Speed' }).selectOption('64×');
	await page.locator('body').click({ position: { x: 5, y: 5 } });
	const entries = () => page.evaluate(() => history.length);
	const before = await entries();
	await page.keyboard.press('Space');
	await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
	await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(early + 10);
	await page.keyboard.press('Space');
	await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
	const stoodAt = await slider.inputValue();
	const heading = page.getByRole('heading', { name: /^As it was on / });
	const shown = await heading.textContent();
	expect(await entries()).toBe(before);
	/** The address follows the instant a moment later. */
	const addressed = () =>
		page.evaluate(() => {
			const at = Number(new URLSearchParams(location.search).get('at'));
			return new Date(at).toLocaleTimeString('en-GB');
		});
	await expect.poll(async () => shown?.endsWith(await addressed())).toBe(true);
	await page.reload();
	await expect(heading).toHaveText(shown ?? '');
	expect(await slider.inputValue()).toBe(stoodAt);

	// A page that takes a while to come is opened, whatever plays meanwhile.
	const { pathname, search } = new URL(page.url());
	await page.route('**/*_rsc*', async (route) => {
		await setTimeout(SLOW_MS);
		// The browser may have given this one up.
		await route.continue().catch(() => {});
	});
	await page.keyboard.press('Space');
	await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
	await page
		.getByRole('navigation', { name: 'Pages' })
		.getByRole('link', { name: /Sessions/ })
		.click();
	await expect(page).toHaveURL('/');
	await page.unroute('**/*_rsc*');
	await page.goto(pathname + search);

	// Played to the end, over the hour in which nothing happened.
	await page.getByRole('combobox', { name: 'Speed' }).selectOption('64×');
	await page.getByRole('button', { name: 'Play' }).click();
	await expect(page.getByRole('button', { name: 'Play' })).toBeVisible({ timeout: 60_000 });
	await expect.poll(async () => Number(await slider.inputValue())).toBe(end);
	await expect(page.getByRole('list', { name: 'Story' })).toContainText('Session ended');
	await expect(page.getByTestId('still-to-come')).toHaveCount(0);

	expect(await findingsInBothThemes(page)).toEqual([]);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto(`/features/${id}`);
	await expect(page.getByRole('button', { name: 'Play' })).toBeInViewport();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	expect(await axeFindings(page)).toEqual([]);
});
