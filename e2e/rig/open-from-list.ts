import { expect, type Page } from '@playwright/test';

/** Opens a session from Home by what its row says, wherever the row stands by then: one that begins to wait moves to the top. */
export async function openFromList(page: Page, text: string): Promise<void> {
	const row = page.getByRole('main').getByRole('listitem').filter({ hasText: text }).getByRole('link');
	const link = page.getByRole('main').getByRole('link').filter({ hasText: text }).or(row).first();
	await expect(async () => {
		await link.click({ timeout: 2000 });
		await expect(page.getByRole('tablist', { name: 'Readings of the session' })).toBeVisible({ timeout: 10_000 });
	}).toPass();
}
