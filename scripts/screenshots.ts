/*
 * `npm run screenshots FOLDER`: plays recorded sessions into a server of its own and writes a picture of every page,
 * 1440 x 900 and 390 x 844, dark and light. Needs a build (`npm run build`).
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { postHook } from '#e2e/rig/door.ts';
import { recordedRun } from '#e2e/rig/recorded-runs.ts';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { playSteps, type RecordedStep, readSteps } from '#server/cli/demo-hooks.ts';
import config from '../playwright.config.ts';
import { writeFeatures } from './screenshot-feature.ts';

const SPEED = 3;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const themes = ['dark', 'light'] as const;
const recording = readFileSync(new URL('../server/cli/demo/session.jsonl', import.meta.url), 'utf8');

interface Scene {
	name: string;
	path: string;
	/** What must be on screen before the picture is taken. */
	shows: (page: Page) => Promise<void>;
}

/** The recorded session as one of its own, in a project of its own. */
function stepsFor(folder: string, project: string, sessionId: string): RecordedStep[] {
	return readSteps(recording.replaceAll('/home/dev/shop', `/home/dev/${project}`), folder).map((step) =>
		'input' in step ? { ...step, input: { ...step.input, session_id: sessionId } } : step,
	);
}

function play(server: RunningServer, folder: string, project: string, sessionId: string, speed: number): Promise<void> {
	const dir = join(folder, project);
	mkdirSync(join(dir, '.overtone'), { recursive: true });
	writeFileSync(join(dir, '.overtone/config.json'), '{"gates":{"routing":{"onMismatch":"deny"}}}');
	const steps = stepsFor(folder, project, sessionId);
	const { signal } = new AbortController();
	return playSteps({ steps, door: server.socketPath, project: dir, speed, signal });
}

async function ask<T>(server: RunningServer, token: string, path: string): Promise<T> {
	const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
		headers: { authorization: `Bearer ${token}` },
	});
	return (await answer.json()) as T;
}

/** Asks until there is something to give. */
async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
	for (;;) {
		const found = await find();
		if (found !== undefined) return found;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** Waits until a session's call waits for a person and gives the approval's id. */
function waitingApproval(server: RunningServer, token: string, sessionId: string): Promise<string> {
	return until(async () => {
		const path = '/api/approvals?state=waiting';
		const { approvals } = await ask<{ approvals: { id: string; sessionId: string }[] }>(server, token, path);
		return approvals.find((approval) => approval.sessionId === sessionId)?.id;
	});
}

/** Waits until a session's timeline holds an event of this type. */
async function seen(server: RunningServer, token: string, sessionId: string, type: string): Promise<void> {
	await until(async () => {
		const { events } = await ask<{ events?: { type: string }[] }>(server, token, `/api/sessions/${sessionId}/events`);
		return events?.find((event) => event.type === type);
	});
}

/** Writes lines into a session's timeline as Overtone's own workflow does. */
function record(
	server: RunningServer,
	sessionId: string,
	lines: readonly { type: string; [field: string]: unknown }[],
): void {
	const ts = new Date().toISOString();
	const text = lines.map((line) =>
		JSON.stringify({ ts, category: line.type.split(':')[0], label: line.type, ...line }),
	);
	appendFileSync(join(server.home, 'sessions', sessionId, 'timeline.jsonl'), `\n${text.join('\n')}\n`);
}

/** Writes features and their sessions, archives one and gives its id. */
async function archivedFeature(server: RunningServer, token: string, dir: string): Promise<string> {
	writeFeatures(server.home, dir);
	const cart = () =>
		until(async () => {
			const path = '/api/features';
			const { features } = await ask<{ features: FeatureRecord[] }>(server, token, path);
			return features.find(({ name, outcome, state }) => name === 'cart' && (state !== 'archived' || outcome));
		});
	await seen(server, token, 'cart-build', 'session:end');
	await post(server, token, `/api/features/${(await cart()).id}`, { action: 'archive' });
	return until(async () => {
		const { id, state, sessions } = await cart();
		return state === 'archived' && sessions.length === 2 ? id : undefined;
	});
}

async function decide(server: RunningServer, token: string, id: string, data: unknown): Promise<void> {
	await post(server, token, `/api/approvals/${id}`, data);
}

async function post(server: RunningServer, token: string, path: string, data: unknown): Promise<void> {
	const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: JSON.stringify(data),
	});
	if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
}

async function openPage(
	browser: Browser,
	server: RunningServer,
	look: (typeof themes)[number],
	size: keyof typeof sizes,
) {
	const context = await browser.newContext({ baseURL: server.url, viewport: sizes[size], colorScheme: look });
	const page = await context.newPage();
	await page.goto((await signalbox(server.home, ['open'])).replace(/^Open /, ''));
	await page.getByText('Live', { exact: true }).waitFor();
	return page;
}

async function shoot(browser: Browser, server: RunningServer, target: string, scenes: readonly Scene[]): Promise<void> {
	for (const look of themes) {
		for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
			const page = await openPage(browser, server, look, size);
			for (const { name, path, shows } of scenes) {
				await page.goto(path);
				await shows(page);
				await page.locator('[data-connection=live]').waitFor();
				await page.screenshot({ path: join(target, `${name}-${size}-${look}.png`), animations: 'disabled' });
			}
			await page.context().close();
		}
	}
}

const target = resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined) {
	console.error('Name the folder for the pictures: npm run screenshots FOLDER');
	process.exit(2);
}
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'sbx-shots-'));
const server = await startServer({ SIGNALBOX_HOLD_SECONDS: '3000' });
const browser = await chromium.launch(config.use?.launchOptions ?? {});
try {
	const token = await signalbox(server.home, ['token', 'create', '--role', 'operator']);
	await shoot(browser, server, target, [
		{ name: 'empty', path: '/', shows: (page) => page.getByText('No sessions yet').waitFor() },
	]);

	for (const run of ['a04-parallel-agents', 'c20-tasks', 'a07-tool-failure']) {
		for (const input of recordedRun(run, run)) await postHook(server.socketPath, input);
	}
	const whole = play(server, folder, 'shop', 'wishlist', SPEED);
	await decide(server, token, await waitingApproval(server, token, 'wishlist'), {
		decision: 'approve',
		reason: 'the storage decides the rest',
	});
	await whole;
	const held = play(server, folder, 'storefront', 'storefront', SPEED).catch(() => {});
	await seen(server, token, 'storefront', 'prompt:submit');
	const stages = ['PLAN', 'ARCH', 'DEV', 'REVIEW', 'TEST', 'DOCS'];
	record(server, 'storefront', [
		{ type: 'workflow:start', workflowType: 'standard', stages },
		{ type: 'stage:start', stage: 'PLAN' },
	]);
	await seen(server, token, 'storefront', 'agent:complete');
	record(server, 'storefront', [
		{ type: 'stage:complete', stage: 'PLAN', result: 'pass' },
		{ type: 'stage:start', stage: 'ARCH' },
		{ type: 'parallel:start', group: 'quality', stages: ['REVIEW', 'TEST'] },
	]);
	await waitingApproval(server, token, 'storefront');

	const story = (page: Page) => page.getByRole('list', { name: 'Story' }).getByRole('button').first().waitFor();
	const askedRow = async (sessionId: string) => {
		const { rows } = await ask<{ rows: { key: string; call?: { approval?: unknown } }[] }>(
			server,
			token,
			`/api/sessions/${sessionId}/rows`,
		);
		return encodeURIComponent(rows.find(({ call }) => call?.approval)?.key ?? '');
	};
	// A call waits for two minutes only, so the pages that show it come first.
	await shoot(browser, server, target, [
		{ name: 'sessions', path: '/', shows: (page) => page.getByRole('heading', { name: 'Needs you' }).waitFor() },
		{ name: 'approvals', path: '/approvals', shows: (page) => page.getByText('Raw input').first().waitFor() },
		{
			name: 'session-waiting',
			path: `/sessions/storefront?row=${await askedRow('storefront')}`,
			shows: (page) => page.getByRole('button', { name: 'Approve once' }).waitFor(),
		},
	]);
	await decide(server, token, await waitingApproval(server, token, 'storefront'), { decision: 'deny' });
	await held;
	const archive = await archivedFeature(server, token, join(folder, 'shop'));
	await shoot(browser, server, target, [
		{ name: 'session-story', path: '/sessions/wishlist', shows: story },
		{
			name: 'session-detail',
			path: `/sessions/wishlist?row=${await askedRow('wishlist')}`,
			shows: (page) => page.getByText('approved by an operator').last().waitFor(),
		},
		{
			name: 'session-plan',
			path: '/sessions/wishlist?tab=plan',
			shows: (page) => page.getByRole('list', { name: 'Mismatches' }).waitFor(),
		},
		{
			name: 'session-verdicts',
			path: '/sessions/wishlist?tab=verdicts',
			shows: (page) => page.getByRole('tabpanel').waitFor(),
		},
		{
			name: 'session-lanes',
			path: '/sessions/wishlist?tab=lanes',
			shows: (page) => page.getByRole('tabpanel').waitFor(),
		},
		{
			name: 'session-workflow',
			path: '/sessions/checkout',
			shows: story,
		},
		{
			name: 'session-aborted',
			path: '/sessions/aborted',
			shows: story,
		},
		{
			name: 'session-conversation',
			path: '/sessions/wishlist?reading=conversation',
			shows: (page) => page.getByRole('region', { name: 'Conversation' }).getByRole('article').first().waitFor(),
		},
		{
			name: 'session-overview',
			path: '/sessions/checkout?tab=overview',
			shows: (page) => page.getByRole('tabpanel').waitFor(),
		},
		{
			name: 'session-no-plan',
			path: '/sessions/checkout?tab=plan',
			shows: (page) => page.getByText('This session has no routing plan').waitFor(),
		},
		{ name: 'archive', path: `/features/${archive}`, shows: story },
		{
			name: 'archive-instant',
			path: `/features/${archive}`,
			shows: async (page) => {
				await story(page);
				await page.getByRole('button', { name: 'Next denial' }).click();
				await page.getByText('As it was on').waitFor();
			},
		},
		...['rules', 'rejudge', 'decisions', 'features', 'status', 'access'].map((name) => ({
			name,
			path: `/${name}`,
			shows: (page: Page) => page.getByRole('heading', { level: 1 }).waitFor(),
		})),
		{ name: 'session-raw', path: '/sessions/wishlist?tab=raw', shows: (page) => page.getByRole('tabpanel').waitFor() },
		{
			name: 'session-none',
			path: '/sessions/none',
			shows: (page) => page.getByText('There is no such session').waitFor(),
		},
		{ name: 'not-found', path: '/nothing', shows: (page) => page.getByText('There is nothing here').waitFor() },
	]);
} finally {
	await browser.close();
	await server.dispose();
	rmSync(folder, { recursive: true, force: true });
}
