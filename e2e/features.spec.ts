import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StoryLine, stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { agentCall, planFor } from './rig/routing.ts';

const STAGES = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'];

/** A `standard` workflow up to its parallel group, of which one half failed and the other was rejected. */
const failedHalfway = (cwd: string): StoryLine[] => [
	{ type: 'session:start', cwd, project: 'shop', branch: 'main' },
	{ type: 'workflow:start', workflowType: 'standard', stages: STAGES, featureName: 'cart' },
	{ type: 'specs:init', featureName: 'cart' },
	{ type: 'loop:start', workflowType: 'standard' },
	...stageLines('PLAN', 'planner', 'pass'),
	...stageLines('ARCH', 'architect', 'pass'),
	{ type: 'command:block', command: 'git push', reason: 'pushing is not allowed', after: 900 },
	...stageLines('TEST', 'tester', 'pass'),
	...stageLines('DEV', 'developer', 'pass'),
	{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST:2'] },
	...stageLines('REVIEW', 'code-reviewer', 'reject'),
	{ type: 'stage:retry', stage: 'REVIEW', rejectCount: 1 },
	...stageLines('TEST:2', 'tester', 'fail'),
	{ type: 'stage:retry', stage: 'TEST:2', failCount: 1 },
	{ type: 'loop:advance', iteration: 3, progress: '4/8' },
];

test.use({ trace: 'off' });

test('a feature is on the board, is archived there, and its recording can be shown at any instant', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/features', { server });
	await expect(page.getByText(/^OVERTONE_HOME=\S+ .*feature new NAME$/)).toBeVisible();

	const { dir, write } = await project({ name: 'shop', server });
	write(
		'specs/features/in-progress/cart/tasks.md',
		'---\nfeature: cart\nworkflow: standard\n---\n- [x] PLAN\n- [ ] DEV\n',
	);
	write(
		'specs/features/in-progress/cart/proposal.md',
		'<b>Totals</b> in the cart <!-- VERDICT: {"result": "REJECT"} -->',
	);
	writeStory(server.home, 'cart-session', Date.now() - 3_600_000, failedHalfway(dir));

	await page.goto('/sessions/cart-session');
	const workflow = page.getByLabel('Workflow', { exact: true });
	await expect(workflow.getByTitle('REVIEW (reject)')).toBeVisible();
	await expect(workflow.getByTitle('TEST:2 (fail)')).toBeVisible();
	await expect(workflow).toContainText('DEV, then REVIEW + TEST:2 again');
	await page.getByRole('tab', { name: 'Overview' }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('iteration 3 of 100');
	await page.getByRole('tab', { name: 'Lanes' }).click();
	await page.getByRole('button', { name: /^planner: Bash work on PLAN, ran/ }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('work on PLAN');
	expect(await axeFindings(page)).toEqual([]);

	await page.goto('/features');
	await expect(page.getByRole('region', { name: 'In progress' })).toContainText('1 of 2 tasks done');
	expect(await axeFindings(page)).toEqual([]);
	await page.getByRole('button', { name: 'Archive cart' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
	await page.getByRole('region', { name: 'Archive' }).getByRole('link', { name: 'cart' }).click();

	const documents = page.getByRole('region', { name: 'Documents' });
	// R921
	await expect(documents).toContainText('<b>Totals</b> in the cart ✕ Verdict: reject');
	await expect(documents).not.toContainText('VERDICT');
	const outcome = page.getByRole('region', { name: 'Outcome' });
	// R1600
	await expect(outcome).toContainText('idle15m 0s');
	await expect(outcome.getByRole('definition')).toHaveCount(5);
	await expect(outcome).toHaveAccessibleDescription(/^counted from when each session took it up/);
	const chapters = page.getByRole('region', { name: 'Chapters' });
	await expect(chapters.getByRole('listitem')).toHaveCount(3);
	expect(await axeFindings(page)).toEqual([]);
	// R923
	const story = page.getByRole('list', { name: 'Story' });
	const showAll = page.getByRole('button', { name: 'Whole recording' });
	await expect(page.getByRole('heading', { name: 'The whole recording' })).toBeVisible();
	await expect(chapters.locator('[aria-current]')).toHaveCount(0);
	await expect(story.getByRole('listitem').first()).toContainText('Session started');
	await page.getByRole('button', { name: 'Next denial' }).click();
	await expect(page.getByRole('heading', { name: /^As it was on / })).toBeVisible();
	await expect(chapters.locator('[aria-current]')).toContainText('git push');
	await showAll.click();
	await expect(showAll).toHaveCount(0);
	await page.getByRole('slider', { name: 'Position' }).press('Home');
	// The stages of the picture as they stood at the instant: none has begun, then REVIEW has no verdict, then it has.
	const runsOf = (stage: string) => page.getByTitle(new RegExp(`^${stage} `));
	await expect(runsOf('PLAN')).toHaveCount(0);
	await page.keyboard.press('n');
	await page.keyboard.press('d');
	await expect(chapters.locator('[aria-current]')).toContainText('git push: pushing is not allowed');
	await expect(runsOf('PLAN')).toHaveCount(1);
	await expect(runsOf('REVIEW').filter({ hasText: 'reject' })).toHaveCount(0);
	await expect(story.getByRole('listitem').last()).toContainText('Command blocked');
	await page.keyboard.press('[');
	await expect(story.getByRole('listitem').last()).not.toContainText('Command blocked');
	await page.keyboard.press('.');
	await page.keyboard.press('.');
	await expect(runsOf('REVIEW').filter({ hasText: 'reject' })).toHaveCount(1);
	await expect(page).toHaveURL(/at=\d+/);
	await page.reload();
	await expect(runsOf('REVIEW').filter({ hasText: 'reject' })).toHaveCount(1);
	await expect(page.getByRole('button', { name: /Approve|Deny|Pause|Resume/ })).toHaveCount(0);
});

test('how far is the cart, who works on it, what did it take and what was decided: its name on the board, 1 click; archived, the page stays', async ({
	ownServer,
	operatorPage,
	project,
	token,
	api,
}) => {
	const server = await ownServer();
	const { dir, write } = await project({ name: 'shop', server });
	write('specs/features/in-progress/cart/tasks.md', '---\nfeature: cart\n---\n- [x] PLAN\n- [ ] DEV\n');
	write('specs/features/in-progress/cart/plan.md', '# The plan\n\nSee [the tax](https://tax.example/law).\n');
	const answer = {
		messageId: 'm1',
		model: 'x',
		inputTokens: 900,
		outputTokens: 100,
		cacheReadTokens: 0,
		cacheWriteTokens: 0,
	};
	writeStory(server.home, 'cart-session', Date.now() - 600_000, [
		...failedHalfway(dir),
		{ type: 'model:usage', ...answer, costUsd: 1.5, source: 'transcript' },
	]);
	const page = await operatorPage('/features', { server });
	const card = page.getByRole('region', { name: 'In progress' }).getByRole('listitem').first();
	await expect(card).toContainText('1.0k tokens · $1.50');
	await expect(card.getByRole('list', { name: 'Stages' })).toContainText('REVIEW, failed');
	await expect(card.getByRole('list', { name: 'Judgement' })).toContainText(/^◆REVIEW, TEST:2 waits for you/);
	await expect(card.getByRole('link', { name: '1 session waits for you' })).toBeVisible();
	await card.getByRole('link', { name: 'cart', exact: true }).click();

	const documents = page.getByRole('region', { name: 'Documents' });
	await expect(documents.getByRole('heading', { name: 'The plan' })).toBeVisible();
	await expect(documents.getByRole('link')).toHaveCount(0);
	await expect(documents).toContainText('(https://tax.example/law)');
	await expect(page.getByRole('region', { name: 'Stages' })).toContainText('TEST:2');
	await expect(page.getByRole('region', { name: 'Decisions' })).toContainText('git push');
	const row = page.getByRole('region', { name: 'Sessions' }).getByRole('link');
	await expect(row).toContainText('shop/main');
	await expect(page.getByRole('definition').filter({ hasText: '$1.50' })).toBeVisible();
	expect(await axeFindings(page)).toEqual([]);
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
		0,
	);
	await page.setViewportSize({ width: 1440, height: 900 });

	const open = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
	await api(`/api/features/${open}`, await token('operator', server), { server, data: { action: 'archive' } });
	await expect(page.getByRole('region', { name: 'Chapters' })).toContainText('git push');
	await expect(documents.getByRole('heading', { name: 'The plan' })).toBeVisible();
	await expect(page).toHaveURL(/\/features\/[0-9a-f]{12}-\d{4}-\d\d-\d\d_cart$/);
	await page.goto(`/features/${open}`);
	await expect(page.getByRole('region', { name: 'Outcome' })).toBeVisible();

	await page.goto('/sessions/cart-session?tab=overview');
	await page.getByRole('region', { name: 'Detail' }).getByRole('link', { name: 'cart' }).click();
	await expect(page.getByRole('region', { name: 'Outcome' })).toBeVisible();
});

test('a recording has its handoffs and large values when the session is gone', async ({
	ownServer,
	operatorPage,
	project,
	token,
	api,
	archiveFeature,
}) => {
	const server = await ownServer();
	const { dir, write } = await project({ name: 'shop', server });
	write('specs/features/in-progress/cart/tasks.md', '---\nfeature: cart\n---\n- [x] DEV\n');
	const large = `${'All of it. '.repeat(100)}The kept end.`;
	const blob = createHash('sha256').update(large).digest('hex');
	const session = join(server.home, 'sessions/kept');
	for (const [path, text] of Object.entries({
		'handoffs/developer-to-tester.md': 'Mind the tax.',
		[`blobs/${blob}`]: large,
	})) {
		mkdirSync(dirname(join(session, path)), { recursive: true });
		writeFileSync(join(session, path), text);
	}
	const call = { toolUseId: 't1', tool: 'Bash' };
	writeStory(server.home, 'kept', Date.now() - 600_000, [
		{ type: 'session:start', cwd: dir, project: 'shop' },
		{ type: 'specs:init', featureName: 'cart' },
		{ type: 'tool:call', ...call, input: { command: { blob, bytes: large.length, preview: 'All of it.' } } },
		{ type: 'tool:result', ...call, response: 'ok' },
		{ type: 'handoff:create', from: 'developer', to: 'tester', path: 'handoffs/developer-to-tester.md' },
		{ type: 'session:end', reason: 'exit' },
	]);
	const id = await archiveFeature(server);
	const viewer = await token('viewer', server);
	await expect
		.poll(async () => (await (await api(`/api/features/${id}`, viewer, { server })).json()).handoffs?.length)
		.toBe(1);
	rmSync(session, { recursive: true });

	const page = await operatorPage(`/features/${id}`, { server });
	const story = page.getByRole('list', { name: 'Story' });
	const detail = page.getByRole('region', { name: 'Detail' });
	await story.getByRole('button', { name: /Handoff written/ }).click();
	await expect(detail.getByText('Mind the tax.')).toBeVisible();
	await story.getByRole('button', { name: /Bash/ }).click();
	await detail.getByRole('button', { name: /^Read the whole text/ }).click();
	await expect(detail.getByText('The kept end.')).toBeVisible();
});

test('an input too large for its event is read to its end and then approved', async ({
	server,
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'large', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const call = agentCall({ sessionId: 'large', cwd: dir, agent: 'architect' });
	const prompt = `${'Read all of this. '.repeat(5_000)}This is its end.`;
	const waiting = hook({ ...call, tool_input: { ...call.tool_input, prompt } });
	const card = page.getByRole('article').filter({ hasText: 'large' });
	const approve = card.getByRole('button', { name: 'Approve once' });
	await expect(approve).toHaveAttribute('aria-disabled', 'true');
	await card.getByRole('button', { name: /^Read the whole text/ }).click();
	await card.getByRole('button', { name: /^Show the other/ }).click();
	await expect(card.getByText('This is its end.')).toBeAttached();
	await approve.click();
	const { stdout } = await waiting.ended;
	expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision, server.output()).toBe('allow');
});
