import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';

test('R1530 a reader chooses the language once: it is there after a reload, and every page names it', async ({
	operatorPage,
}) => {
	const page = await operatorPage('/approvals');
	const html = page.locator('html');
	await expect(html).toHaveAttribute('lang', 'en');
	await page.getByRole('button', { name: /^Tier/ }).click();
	await page.getByRole('dialog').getByRole('combobox', { name: 'Language' }).selectOption({ label: '简体中文' });
	await expect(html).toHaveAttribute('lang', 'zh-CN');
	await expect(page.getByRole('dialog', { name: '当前登录' })).toBeVisible();
	await expect(page).toHaveTitle('审批 – Signalbox');
	await page.reload();
	await expect(html).toHaveAttribute('lang', 'zh-CN');
	await expect(page.getByText('实时', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: /^T\d 级/ }).click();
	await page.getByRole('combobox', { name: '语言' }).selectOption({ label: 'English' });
	await expect(html).toHaveAttribute('lang', 'en');
	await expect(page.getByRole('dialog', { name: 'This sign-in' })).toBeVisible();
});

test('R1530 a browser that asks for Chinese gets it, from the first paint', async ({ operatorPage }) => {
	const page = await operatorPage('/', { locale: 'zh-CN' });
	await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
	await expect(page.getByText('实时', { exact: true })).toBeVisible();
	// As the server sends it, before any script.
	const sent = await (await page.goto('/'))?.text();
	expect(sent).toContain('<html lang="zh-CN"');
	expect(sent).toContain('跳到页面内容');
	expect(await axeFindings(page)).toEqual([]);
});
