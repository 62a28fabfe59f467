import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { CURRENT_CLIENT } from '#e2e/claude-code/install-client.ts';
import { standardScript, TURNS } from '#e2e/claude-code/standard-script.ts';
import { expect, test } from '#e2e/fixtures.ts';

test.describe.configure({ timeout: 180_000 });

/** What the header answers at one moment. */
interface Moment {
	/** Which stage runs, and who works. */
	now: string;
	/** Null once the workflow has ended. */
	next: string | null;
	failed?: string;
	/** Stages of the pipeline with the words that stand at them. */
	stages?: Record<string, string>;
}

/** One stage in the pipeline: the innermost element that holds its name. */
const stageOn = (page: Page, key: string): Locator =>
	page
		.getByRole('list', { name: 'Stages' })
		.locator('span', { has: page.getByText(key, { exact: true }) })
		.last();

const agentOn = (page: Page, name: string): Locator =>
	page
		.getByRole('list', { name: 'Story' })
		.getByRole('button', { name: /running/ })
		.filter({ hasText: name });

async function expectMoment(page: Page, { now, next, failed, stages = {} }: Moment): Promise<void> {
	const line = page.getByLabel('Workflow', { exact: true });
	const answer = (name: string): Locator =>
		line.locator('div', { has: page.getByText(name, { exact: true }) }).locator('dd');
	await expect(answer(next === null ? 'Workflow' : 'Now')).toHaveText(now);
	if (next === null) await expect(answer('Next')).toHaveCount(0);
	else await expect(answer('Next')).toHaveText(next);
	const stageList = page.getByRole('list', { name: 'Stages' });
	if (failed === undefined) await expect(stageList.getByTitle(/\((?:fail|reject|unclear)\)/)).toHaveCount(0);
	for (const each of failed?.split('; ') ?? []) await expect(stageList.getByTitle(each)).toBeVisible();
	for (const [key, words] of Object.entries(stages)) await expect(stageOn(page, key)).toContainText(words);
}

interface RecordedEvent {
	type: string;
	stage?: string;
	result?: string;
	name?: string;
	agent?: string;
	group?: string;
	path?: string;
}

function timelineOf(folder: string): RecordedEvent[] {
	const text = readFileSync(join(folder, 'timeline.jsonl'), 'utf8');
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as RecordedEvent);
}

const isStop = ({ type, name }: RecordedEvent): boolean => type === 'hook:event' && name === 'Stop';

test('R390 Claude Code 2.1.330 works through a whole standard workflow with a FAIL, a REJECT and a parallel group, and the page shows each moment', async ({
	server,
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'standard-shop', registered: 'plugin' });
	const page = await operatorPage('/', { viewport: { width: 1280, height: 800 } });
	const skill = readFileSync(join(server.home, 'plugin/ot/skills/standard/SKILL.md'), 'utf8');
	const start = (/```sh\n(.+)\n```/.exec(skill)?.[1] ?? '').replace('NAME', 'user-login');
	const { script, held } = standardScript(start);
	const agent = await shop.agent({ version: CURRENT_CLIENT, args: ['--allowedTools', 'Bash,Agent'], script });
	const open = (...moments: string[]) => {
		for (const moment of moments) held[moment]?.open();
	};
	const mainRequest = (index: number) =>
		agent.model.request((request) => request.role === 'main' && request.turn === index);

	await page.getByRole('link', { name: /Running.*standard-shop/ }).click();
	await expectMoment(page, { now: 'PLAN by planner', next: 'ARCH', stages: { PLAN: 'running', ARCH: 'pending' } });
	await expect(agentOn(page, 'planner').first()).toBeVisible();
	const begun = agent.messages.find(({ type, subtype }) => type === 'system' && subtype === 'init');
	const folder = join(server.home, 'sessions', String(begun?.session_id));
	const stopped = (times: number) => expect.poll(() => timelineOf(folder).filter(isStop).length).toBe(times);
	const phone = await operatorPage(new URL(page.url()).pathname, { viewport: { width: 390, height: 844 } });
	open('planner');

	// The agent wanted to stop after the tests were written; the loop sent it on.
	expect((await mainRequest(TURNS.afterStop)).userText).toContain('Delegate developer (DEV) next');
	await stopped(2);
	const developing = { now: 'DEV by developer', next: 'REVIEW + TEST:2', stages: { DEV: 'running', TEST: 'pass' } };
	for (const one of [page, phone]) await expectMoment(one, developing);
	await expect(stageOn(phone, 'DEV')).toBeInViewport({ ratio: 0.9 });
	await expect(agentOn(page, 'developer').filter({ hasText: 'background' }).first()).toBeVisible();
	// The turn has ended, its agent works behind it: that is no idle session.
	await expect(page.locator('header').getByText(/Running$/)).toBeVisible();
	open('developer');

	await stopped(3);
	const sideBySide = { REVIEW: 'running', 'TEST:2': 'running', RETRO: 'pending' };
	await expectMoment(page, { now: 'REVIEW by code-reviewer + TEST:2 by tester', next: 'RETRO', stages: sideBySide });
	await expect(stageOn(phone, 'REVIEW')).toBeInViewport({ ratio: 0.9 });
	open('tester');

	expect((await mainRequest(TURNS.oneFailed)).hookContext).toContain('Wait for code-reviewer (REVIEW)');
	await stopped(4);
	const failed = {
		now: 'REVIEW by code-reviewer',
		failed: 'TEST:2 (fail): tester has ended with FAIL.',
		stages: { 'TEST:2': 'fail', REVIEW: 'running' },
	};
	await expectMoment(page, { ...failed, next: 'debugger, DEV, then TEST:2 again' });
	open('code-reviewer');

	const both = 'REVIEW (reject): code-reviewer has ended with REJECT.; TEST:2 (fail): tester has ended with FAIL.';
	expect((await mainRequest(TURNS.bothFailed)).hookContext).toContain(
		'TEST:2 and REVIEW did not pass. Delegate debugger to find the cause, then developer with the reasons of the rejection, then tester (TEST:2) and code-reviewer (REVIEW) in parallel.',
	);
	const waiting = { now: 'no stage runs', next: 'debugger, DEV, then REVIEW + TEST:2 again', failed: both };
	for (const one of [page, phone])
		await expectMoment(one, { ...waiting, stages: { REVIEW: 'reject', 'TEST:2': 'fail' } });
	await expect(page.getByText('TEST:2 · tester has ended with FAIL.')).toBeVisible();
	open('repair');
	await expectMoment(page, { now: 'debugger (no stage)', next: 'DEV, then REVIEW + TEST:2 again', failed: both });
	open('debugger');
	expect((await mainRequest(TURNS.causeFound)).hookContext).toContain(
		'did not pass. Delegate developer with the reasons',
	);
	await expectMoment(page, { now: 'DEV by developer', next: 'REVIEW + TEST:2', failed: both });
	open('developer-again');

	await stopped(5);
	const again = { now: 'REVIEW by code-reviewer + TEST:2 by tester', next: 'RETRO' };
	await expectMoment(page, { ...again, stages: { REVIEW: 'retry 1', 'TEST:2': 'retry 1' } });
	open('tester-again', 'code-reviewer-again');
	await expectMoment(page, { now: 'no stage runs', next: 'RETRO', stages: { REVIEW: 'pass', 'TEST:2': 'pass' } });
	open('converged');
	expect((await mainRequest(TURNS.secondStop)).userText).toContain('Delegate retrospective (RETRO) next');
	await expectMoment(page, { now: 'RETRO by retrospective', next: 'DOCS' });
	await expect(stageOn(phone, 'RETRO')).toBeInViewport({ ratio: 0.9 });
	open('retrospective');
	await expectMoment(page, { now: 'DOCS by doc-updater', next: 'the end' });
	open('doc-updater');

	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'The login is built.' });
	for (const one of [page, phone]) {
		await expectMoment(one, { now: 'complete', next: null, stages: { DOCS: 'pass' } });
		await expect(one.locator('header').getByText(/Ended$/)).toBeVisible();
	}
	expectRecorded(folder, shop.dir);
});

/** What the run has left: every event once, both state files, the handoffs and the archived feature with its boxes ticked. */
function expectRecorded(folder: string, project: string): void {
	const events = timelineOf(folder);
	const count = (type: string): number => events.filter((event) => event.type === type).length;
	const types = {
		...{ 'session:start': 1, 'session:end': 1, 'workflow:start': 1, 'workflow:complete': 1, 'workflow:abort': 0 },
		...{ 'stage:start': 11, 'stage:complete': 11, 'stage:retry': 2, 'agent:delegate': 12, 'agent:complete': 12 },
		...{ 'parallel:start': 1, 'parallel:converge': 1, 'loop:start': 1, 'loop:advance': 2, 'loop:complete': 1 },
		...{ 'specs:init': 1, 'specs:archive': 1, 'agent:error': 0, 'error:fatal': 0, 'system:warning': 0 },
	};
	expect(Object.fromEntries(Object.keys(types).map((type) => [type, count(type)]))).toEqual(types);
	const done = events.filter(({ type }) => type === 'stage:complete').map(({ stage, result }) => `${stage} ${result}`);
	expect(done.slice(0, 7)).toEqual([
		...['PLAN pass', 'ARCH pass', 'TEST pass', 'DEV pass', 'TEST:2 fail', 'REVIEW reject', 'DEV pass'],
	]);
	expect(done.slice(7, 9).sort()).toEqual(['REVIEW pass', 'TEST:2 pass']);
	expect(done.slice(9)).toEqual(['RETRO pass', 'DOCS pass']);
	expect(events.filter(({ type }) => type === 'parallel:converge')).toMatchObject([{ group: 'quality' }]);

	// The developer ran in the background: the turn's Stop came before the agent's own.
	const ofDeveloper = (type: string) => events.findIndex((event) => event.type === type && event.agent === 'developer');
	const between = events.slice(ofDeveloper('agent:start'), ofDeveloper('agent:complete'));
	expect(between.filter(isStop)).toHaveLength(1);
	expect(between.some(({ type }) => type === 'loop:advance')).toBe(false);

	const state = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
	const retried = { status: 'completed', result: 'pass', retries: 1 };
	expect(state('workflow.json')).toMatchObject({
		...{ workflowType: 'standard', featureName: 'user-login', failCount: 1, rejectCount: 1, retroCount: 0 },
		...{ currentStage: null, activeAgents: {}, ended: { how: 'complete' } },
		stages: {
			DEV: { status: 'completed', attempts: ['pass', 'pass'] },
			REVIEW: { ...retried, attempts: ['reject', 'pass'] },
			'TEST:2': { ...retried, mode: 'verify', attempts: ['fail', 'pass'] },
			DOCS: { status: 'completed', result: 'pass' },
		},
	});
	expect(state('loop.json')).toMatchObject({
		iteration: 2,
		stopped: true,
		stopReason: 'complete',
		consecutiveErrors: 0,
	});

	const handoffs = events.flatMap(({ type, path }) => (type === 'handoff:create' && path ? [path] : []));
	expect(handoffs.map((path) => path.replace('handoffs/', '')).sort()).toEqual(
		readdirSync(join(folder, 'handoffs')).sort(),
	);
	for (const name of [
		'planner-to-architect',
		'tester-to-debugger',
		'debugger-to-developer',
		'code-reviewer-to-developer',
	]) {
		expect(readFileSync(join(folder, `handoffs/${name}.md`), 'utf8')).toContain('### Findings');
	}

	const features = join(project, 'specs/features');
	expect(existsSync(join(features, 'in-progress/user-login'))).toBe(false);
	const [archived = ''] = readdirSync(join(features, 'archive'));
	expect(archived).toMatch(/^\d{4}-\d\d-\d\d_user-login$/);
	const boxes = readFileSync(join(features, 'archive', archived, 'tasks.md'), 'utf8').match(/- \[.\] \S+/g);
	expect(boxes).toEqual(['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'RETRO', 'DOCS'].map((stage) => `- [x] ${stage}`));
}
