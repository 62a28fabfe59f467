import { expect, test } from './fixtures.ts';
import { axeFindings, findingsInBothThemes } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { agentCall, planFor } from './rig/routing.ts';

test('R1530 a reader chooses the language once: it is kept after a reload, and every page declares it', async ({
	operatorPage,
}) => {
	const page = await operatorPage('/approvals');
	const html = page.locator('html');
	await expect(html).toHaveAttribute('lang', 'en');
	await page.getByRole('button', { name: /^Access: / }).click();
	await page.getByRole('dialog').getByRole('combobox', { name: 'Language' }).selectOption({ label: '简体中文' });
	await expect(html).toHaveAttribute('lang', 'zh-CN');
	await expect(page.getByRole('dialog', { name: '当前登录' })).toBeVisible();
	await expect(page).toHaveTitle('审批 – Signalbox');
	await page.reload();
	await expect(html).toHaveAttribute('lang', 'zh-CN');
	await expect(page.getByText('实时', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: /^访问权限/ }).click();
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

// A trace of axe at work is large, slow and of no use: the findings say what and where.
test.use({ trace: 'off' });

test('every page in Chinese is accessible in both themes, and fits a phone', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	test.setTimeout(300_000);
	const server = await ownServer();
	for (const input of recordedRun('a04-parallel-agents', 'ended')) await postHook(server.socketPath, input);
	const { dir } = await project({ name: 'checkout', plan: planFor('developer', 'tester'), server });
	const page = await operatorPage('/', { server, locale: 'zh-CN', viewport: { width: 390, height: 844 } });
	await expect(page.getByText('实时', { exact: true })).toBeVisible();
	hook(agentCall({ sessionId: 'waiting', cwd: dir, agent: 'architect' }), { server });
	await expect(page.getByText('architect 不在计划内').first()).toBeVisible();
	const check = async (where: string) => {
		await expect(page.getByText('实时', { exact: true })).toBeVisible();
		await expect(page.locator('main')).toContainText(/\p{Script=Han}/u);
		await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
		expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(390);
		expect(await findingsInBothThemes(page), where).toEqual([]);
	};
	await page.goto('/sessions/ended');
	const tabs = page.getByRole('tab');
	await expect(tabs).toHaveCount(6);
	for (const tab of await tabs.all()) {
		await tab.click();
		await expect(tab).toHaveAttribute('aria-selected', 'true');
		await expect(page.getByRole('tabpanel')).toBeVisible();
		await check(`the tab ${await tab.textContent()}`);
	}
	for (const path of ['/', '/approvals', '/features', '/decisions', '/rules', '/status', '/access', '/search?q=a']) {
		await page.goto(path);
		await check(path);
	}
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('dialog', { name: '全局查找' })).toBeVisible();
	expect(await axeFindings(page)).toEqual([]);
});
