import type { Locator, Page } from '@playwright/test';
import { writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';

const storyOf = (page: Page): Locator => page.getByRole('list', { name: 'Story' });
const rowOf = (page: Page, step: number): Locator =>
	storyOf(page)
		.getByRole('button')
		.filter({ hasText: `Step ${step} of` });

const steps = (count: number) =>
	Array.from({ length: count }, (_, at) => ({
		type: 'prompt:submit',
		prompt: `Step ${at + 1} of many.`,
		source: 'user',
		after: 1,
	}));

const post = (socketPath: string, sessionId: string, prompt: string) =>
	postHook(socketPath, { session_id: sessionId, cwd: '/tmp/steps', hook_event_name: 'UserPromptSubmit', prompt });

test('older rows come in above without moving what is read, up to the first one', async ({ server, operatorPage }) => {
	writeStory(server.home, 'long-story', Date.now() - 3_600_000, steps(450));
	const page = await operatorPage('/sessions/long-story');
	await expect(rowOf(page, 450)).toBeInViewport();

	const scrollTo = (y: number) => storyOf(page).evaluate((list, top) => list.parentElement?.scrollTo(0, top), y);
	const height = () => storyOf(page).evaluate((list) => list.clientHeight);
	const before = await height();
	// Near enough to the beginning of what is loaded that the next range is fetched, and row 260 in view.
	await scrollTo(280);
	await expect(rowOf(page, 263)).toBeInViewport();
	const heightOnScreen = (await rowOf(page, 263).boundingBox())?.y;
	await expect.poll(height).toBeGreaterThan(before);
	await expect(rowOf(page, 263)).toBeInViewport();
	expect((await rowOf(page, 263).boundingBox())?.y).toBe(heightOnScreen);

	await expect(async () => {
		await scrollTo(0);
		await expect(rowOf(page, 1)).toBeInViewport({ timeout: 500 });
	}).toPass();
	await page.getByRole('button', { name: /Newest/ }).click();
	await expect(rowOf(page, 450)).toBeInViewport();
});

test('who leaves the end of a busy story by a little is not pulled back; at its end it is followed again', async ({
	server,
	operatorPage,
}) => {
	writeStory(server.home, 'busy', Date.now() - 3_600_000, steps(100));
	const page = await operatorPage('/sessions/busy');
	await expect(rowOf(page, 100)).toBeInViewport();
	await rowOf(page, 90).hover();
	await page.mouse.wheel(0, -15);
	const newest = page.getByRole('button', { name: /Newest|\d+ new/ });
	await expect(newest).toBeVisible();
	const top = () => storyOf(page).evaluate((list) => list.parentElement?.scrollTop);
	const before = await top();
	await post(server.socketPath, 'busy', 'Came meanwhile.');
	await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
	expect(await top()).toBe(before);

	await page.mouse.wheel(0, 500);
	await expect(newest).toBeHidden();
	await post(server.socketPath, 'busy', 'Followed again.');
	await expect(storyOf(page).getByRole('button').filter({ hasText: 'Followed again.' })).toBeInViewport();
});

test('an event moves neither existing rows nor the tabs and filters around them', async ({ server, operatorPage }) => {
	writeStory(server.home, 'calm', Date.now() - 3_600_000, steps(100));
	const page = await operatorPage('/sessions/calm');
	await expect(rowOf(page, 100)).toBeInViewport();
	await page.evaluate(() => {
		const kept = [...document.querySelectorAll('[data-row], [role=tablist], fieldset')].slice(0, -1);
		const touched: string[] = [];
		const observer = new MutationObserver((records) => {
			for (const { target, type, attributeName } of records) {
				// The list's only tab stop goes along with its last row.
				if (attributeName !== 'tabindex') touched.push(`${type} ${target.nodeName} ${attributeName ?? ''}`);
			}
		});
		for (const each of kept)
			observer.observe(each, { subtree: true, childList: true, characterData: true, attributes: true });
		Object.assign(window, { touched });
	});
	await post(server.socketPath, 'calm', 'One more.');
	await expect(storyOf(page).getByRole('button').filter({ hasText: 'One more.' })).toBeInViewport();
	expect(await page.evaluate(() => (window as unknown as { touched: string[] }).touched)).toEqual([]);
});
