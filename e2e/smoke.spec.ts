import { expect, test } from '@playwright/test';

test('the first page opens in a browser', async ({ page }) => {
	await page.goto('/');
	await expect(page.getByRole('heading', { name: 'Signalbox' })).toBeVisible();
});
