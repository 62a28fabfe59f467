import { type StoryLine, stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';

const SESSION = 'what-it-cost';
const RED = `${String.fromCharCode(27)}[31m`;
const counts = { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 30_000, cacheWriteTokens: 0 };

const answer = (agentId: string | undefined, model: string, costUsd?: number, stage?: string): StoryLine => ({
	type: 'model:usage',
	...{ agentId, model, stage, costUsd, messageId: `${agentId}-${model}`, source: 'transcript', ...counts },
});

const call = (tool: string, toolUseId: string, input: object, response: unknown): StoryLine[] => [
	{ type: 'tool:call', tool, toolUseId, input, after: 1 },
	{ type: 'tool:result', tool, toolUseId, response, after: 1 },
];

const EDIT = { file_path: '/home/dev/shop/total.ts', old_string: 'one\ntwo', new_string: 'one\nthree\nfour' };

const lines: StoryLine[] = [
	{ type: 'session:start', cwd: '/home/dev/shop', project: 'shop', branch: 'main' },
	{ type: 'workflow:start', workflowType: 'standard', stages: ['PLAN', 'ARCH', 'TEST', 'DEV'] },
	...stageLines('PLAN', 'planner', 'pass', 90),
	answer('planner-PLAN-pass', 'claude-opus-5-5', 1.25, 'PLAN'),
	answer(undefined, 'somebody-elses'),
	...call('Edit', 'edit-1', EDIT, 'ok'),
	...call('Bash', 'test-1', { command: 'npm test' }, { stdout: `${RED}1 failed`, stderr: '' }),
];

test('"what did this stage cost, which files changed, and how?" is answered by one look and one click', async ({
	server,
	operatorPage,
}) => {
	writeStory(server.home, SESSION, Date.now() - 600_000, lines);
	const page = await operatorPage(`/sessions/${SESSION}?tab=overview`);
	const pane = page.getByRole('region', { name: 'Overview' });
	const plan = pane.getByRole('listitem').filter({ hasText: /PLAN.*1m 30s pass.*\$1\.25/ });
	await expect(plan).toBeVisible();
	await expect(pane.getByRole('list', { name: 'By model' })).toContainText('somebody-elses');
	await expect(pane.getByRole('list', { name: 'By model' })).toContainText('no price');
	await expect(page.locator('header').getByText('$1.25 +')).toBeVisible();
	await expect(pane).toContainText('total.ts');
	await expect(pane).toContainText('+2 −1');
	expect(await axeFindings(page)).toEqual([]);

	await page.getByRole('tab', { name: 'Story' }).click();
	const detail = page.getByRole('region', { name: 'Detail' });
	const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
	await rows.filter({ hasText: 'Edit' }).click();
	await expect(detail).toContainText('removed: two');
	await expect(detail).toContainText('added: three');
	await rows.filter({ hasText: 'npm test' }).click();
	await expect(detail.getByText('1 failed')).toHaveClass(/text-err/);
	await expect(detail.getByText('ESC')).toHaveCount(0);
	await expect(detail).not.toContainText('that would not be seen');
	expect(await axeFindings(page)).toEqual([]);

	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto(`/sessions/${SESSION}?tab=overview`);
	const overview = page.getByRole('region', { name: 'Overview' });
	await expect(overview.getByRole('listitem').filter({ hasText: /PLAN.*\$1\.25/ })).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
	expect(await axeFindings(page)).toEqual([]);
});
