import type { Page } from '@playwright/test';
import { type StoryLine, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';

const lanesOf = (page: Page) => page.getByRole('region', { name: 'Lanes', exact: true });

let calls = 0;
/** A call of an actor that takes `seconds`. */
const call = (tool: string, title: string, seconds: number, agentId?: string): StoryLine[] => {
	calls += 1;
	const same = { toolUseId: `toolu_${calls}`, tool, ...(agentId && { agentId }) };
	const input = tool === 'Bash' ? { command: title } : { file_path: title };
	return [
		{ type: 'tool:call', ...same, input, after: 1 },
		{ type: 'tool:result', ...same, response: 'ok', after: seconds },
	];
};
/** The end of a sub-agent, and of the call that asked for it. */
const finish = (agent: string, agentId: string): StoryLine[] => [
	{ type: 'agent:complete', agent, agentId },
	{ type: 'tool:result', toolUseId: `spawn_${agentId}`, tool: 'Agent', response: 'done' },
];
/** A sub-agent that `caller` asks for. */
const spawn = (agent: string, agentId: string, description: string, caller?: string): StoryLine[] => {
	const spawnCall = { toolUseId: `spawn_${agentId}`, tool: 'Agent', ...(caller && { agentId: caller }) };
	return [
		{ type: 'tool:call', ...spawnCall, input: { subagent_type: agent, description, prompt: description }, after: 1 },
		{ type: 'agent:start', agent, agentId, toolUseId: spawnCall.toolUseId, description },
	];
};

/** Two rounds of REVIEW and TEST:2 side by side, a denial, a nested agent, and a night between. */
const BUSY: StoryLine[] = [
	{ type: 'session:start', project: 'shop', branch: 'feat/cart' },
	{ type: 'prompt:submit', prompt: 'Build the cart.', source: 'user' },
	{ type: 'workflow:start', workflowType: 'standard', stages: ['DEV', 'REVIEW', 'TEST:2'] },
	{ type: 'stage:start', stage: 'DEV', after: 2 },
	...spawn('developer', 'dev-1', 'Write the cart'),
	...call('Read', 'cart.ts', 4, 'dev-1'),
	...call('Edit', 'cart.ts', 30, 'dev-1'),
	...spawn('helper', 'help-1', 'Find the totals', 'dev-1'),
	...call('Grep', 'total', 25, 'help-1'),
	...finish('helper', 'help-1'),
	...call('Bash', 'npm test', 60, 'dev-1'),
	...finish('developer', 'dev-1'),
	{ type: 'stage:complete', stage: 'DEV', result: 'pass' },
	...[1, 2].flatMap((iteration) => [
		{ type: 'stage:start', stage: 'REVIEW', after: 1 },
		{ type: 'stage:start', stage: 'TEST:2' },
		...spawn('reviewer', `rev-${iteration}`, `Review ${iteration}`),
		...spawn('tester', `test-${iteration}`, `Check ${iteration}`),
		...call('Bash', `npm run check ${iteration}`, 40, `test-${iteration}`),
		...finish('tester', `test-${iteration}`),
		{ type: 'stage:complete', stage: 'TEST:2', result: 'pass' },
		...call('Read', 'cart.ts', 15, `rev-${iteration}`),
		...finish('reviewer', `rev-${iteration}`),
		{ type: 'stage:complete', stage: 'REVIEW', result: iteration === 1 ? 'reject' : 'pass' },
		...(iteration === 1 ? [{ type: 'prompt:submit', prompt: 'Go on.', source: 'user', after: 9 * 3600 }] : []),
	]),
	{ type: 'tool:call', toolUseId: 'denied', tool: 'Bash', input: { command: 'rm -rf cart' }, after: 2 },
	{
		...{ type: 'gate:verdict', toolUseId: 'denied', tool: 'Bash', gate: 'commands', decision: 'deny' },
		...{ rule: 'command.excluded', reason: 'rm is excluded', facts: {}, durationMs: 1 },
	},
	...call('Bash', 'git status', 2),
];

test('every run of every stage is on the lanes, parallel ones under each other, with a pin for each failure', async ({
	server,
	operatorPage,
}) => {
	writeStory(server.home, 'busy-lanes', Date.now() - 10 * 3600_000, BUSY);
	const page = await operatorPage('/sessions/busy-lanes?tab=lanes');
	const stages = lanesOf(page).getByRole('list', { name: 'Stages over time' }).getByRole('listitem');
	await expect(stages).toHaveCount(5);
	await expect(stages).toContainText(['DEV', 'REVIEW', 'TEST:2', 'REVIEW', 'TEST:2']);
	const boxes = await Promise.all([1, 2].map((at) => stages.nth(at).boundingBox()));
	expect(boxes[0]?.y).not.toBe(boxes[1]?.y);
	const names = await lanesOf(page)
		.getByRole('list', { name: /^Calls of/ })
		.evaluateAll((lists) => lists.map((list) => list.getAttribute('aria-label')));
	expect(names).toEqual(
		['main', 'developer', 'helper', 'reviewer', 'tester', 'reviewer', 'tester'].map((name) => `Calls of ${name}`),
	);
	await lanesOf(page)
		.getByRole('button', { name: /^denied: rm is excluded/ })
		.click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('rm -rf cart');
	expect(await axeFindings(page)).toEqual([]);
	await page.setViewportSize({ width: 390, height: 844 });
});

test('a session of many events is seen whole at once; the keys go nearer, and the address keeps the place', async ({
	server,
	operatorPage,
}) => {
	const many = Array.from({ length: 6_000 }, (_, at) => call('Read', `file-${at}.ts`, 0.2)).flat();
	writeStory(server.home, 'long-lanes', Date.now() - 4 * 3600_000, [
		{ type: 'session:start', project: 'shop' },
		{ type: 'prompt:submit', prompt: 'Read all of it.', source: 'user' },
		...many,
	]);
	const page = await operatorPage('/sessions/long-lanes?tab=lanes');
	const bars = lanesOf(page).getByRole('list', { name: 'Calls of main' }).getByRole('button');
	await expect(bars.first()).toBeVisible();
	await lanesOf(page).getByRole('button', { name: 'Fit' }).click();
	await expect(lanesOf(page).getByRole('status')).toContainText('events are in view');
	await expect(bars).toHaveCount(0);
	await lanesOf(page).getByRole('region', { name: 'Lanes over time' }).focus();
	await page.keyboard.press('Home');
	for (let times = 0; times < 7; times += 1) await page.keyboard.press('+');
	await expect(lanesOf(page).getByRole('status')).toHaveCount(0);
	await expect(bars.first()).toBeVisible();
	// The address follows a moment later: seven times nearer, two hours are less than a minute.
	await expect(page).toHaveURL(({ searchParams: at }) => Number(at.get('to')) - Number(at.get('from')) < 70_000);
	const seen = await bars.first().getAttribute('aria-label');
	await page.reload();
	await expect(bars.first()).toHaveAttribute('aria-label', seen ?? '');
});
