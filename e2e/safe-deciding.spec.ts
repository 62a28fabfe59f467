import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import type { RunningServer } from './rig/running-server.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** A server that holds every `rm`, and calls that wait there, the most urgent first. */
async function holding(server: RunningServer, commands: readonly string[]): Promise<Promise<unknown>[]> {
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ commands: { exclude: ['rm'] } }));
	const answers: Promise<unknown>[] = [];
	for (const command of commands) {
		answers.push(ask(server, command, `toolu_${answers.length}`));
		await expect.poll(() => waitingAt(server)).toHaveLength(answers.length);
	}
	return answers;
}

const ask = (server: RunningServer, command: string, toolUseId: string) =>
	postHook(server.socketPath, {
		...{ session_id: 'asks', cwd: server.home, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
		...{ tool_use_id: toolUseId, tool_input: { command } },
	}).catch(() => null);

let readWaiting: (server: RunningServer) => Promise<{ id: string; title: string }[]>;
const waitingAt = (server: RunningServer) => readWaiting(server);

test.beforeEach(async ({ token }) => {
	const viewers = new Map<RunningServer, string>();
	readWaiting = async (server) => {
		const viewer = viewers.get(server) ?? (await token('viewer', server));
		viewers.set(server, viewer);
		const url = `http://127.0.0.1:${server.port}/api/approvals?state=waiting`;
		const answer = await fetch(url, { headers: { authorization: `Bearer ${viewer}` } });
		return ((await answer.json()) as { approvals: { id: string; title: string }[] }).approvals;
	};
});

const rowsOf = (page: Page): Locator => page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
const middleOf = async (button: Locator) => {
	const box = await button.boundingBox();
	if (!box) throw new Error('not on screen');
	return [box.x + box.width / 2, box.y + box.height / 2] as const;
};
/** In the very frame in which so many rows are left, presses what is at a spot, or a key where the focus is. */
const pressOnceLeft = (page: Page, rows: number, press: readonly [number, number] | string) =>
	page.evaluate(
		([left, what]) =>
			new Promise<string>((resolve) => {
				const checkFrame = () => {
					const list = document.querySelectorAll('section[aria-label="Needs you"] li');
					const active = document.activeElement;
					if (list.length !== left || (typeof what === 'string' && !active?.matches('li'))) {
						return void requestAnimationFrame(checkFrame);
					}
					if (typeof what === 'string') {
						active?.dispatchEvent(new KeyboardEvent('keydown', { key: what, code: `Key${what}`, bubbles: true }));
						return resolve(active?.getAttribute('aria-label') ?? '');
					}
					const hit = document.elementFromPoint(what[0], what[1])?.closest<HTMLElement>('button, a');
					hit?.click();
					const finish = () => resolve(`${hit?.textContent} ${hit?.getAttribute('aria-disabled')}`);
					requestAnimationFrame(() => requestAnimationFrame(finish));
				};
				checkFrame();
			}),
		[rows, press] as const,
	);

for (const by of ['mouse', 'touch', 'keyboard'] as const) {
	test(`R1200 by ${by}: two presses on one spot never approve two calls, before and after the receipt is gone`, async ({
		ownServer,
		operatorPage,
	}) => {
		const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
		const answers = await holding(server, ['rm part-0', 'rm part-1', 'rm part-2']);
		const isTouch = by === 'touch';
		const page = await operatorPage('/', { server, viewport: isTouch ? PHONE : WIDE, touch: isTouch });
		const approve = rowsOf(page).first().getByRole('button', { name: 'Approve' });
		await expect(approve).toBeEnabled();
		const [x, y] = await middleOf(approve);
		if (by === 'keyboard') await page.keyboard.press('j');
		const press = async () => {
			if (by === 'mouse') await page.mouse.click(x, y);
			else if (by === 'touch') await page.touchscreen.tap(x, y);
			else await page.keyboard.press('a');
		};
		await press();
		await expect.poll(() => waitingAt(server)).toHaveLength(2);
		await press();
		await expect(rowsOf(page).first().getByRole('status')).toContainText('Approved by an operator');
		await expect(rowsOf(page).first()).toContainText('rm part-0');
		await expect(rowsOf(page)).toHaveCount(3);
		await press();
		// The receipt goes, and the next row slides up.
		const hit = await pressOnceLeft(page, 2, by === 'keyboard' ? 'a' : [x, y]);
		expect(hit).toMatch(by === 'keyboard' ? /part-1/ : /^Approve true$/);
		await expect(approve).toBeEnabled();
		expect((await waitingAt(server)).map(({ title }) => title).sort()).toEqual(['rm part-1', 'rm part-2']);
		await press();
		await expect.poll(() => waitingAt(server)).toHaveLength(1);
		await page.close();
		await server.stop();
		await Promise.all(answers);
	});
}

test('a person who decides second learns who was faster', async ({
	ownServer,
	operatorPage,
	token,
	api,
	expectConsole,
}) => {
	expectConsole(/409 \(Conflict\)/);
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const answers = await holding(server, ['rm one', 'rm other']);
	const operator = await token('operator', server);
	const page = await operatorPage('/', { server });
	await page.route('**/api/approvals/*', async (route) => {
		if (route.request().method() === 'POST') {
			const { pathname } = new URL(route.request().url());
			await api(pathname, operator, { server, data: { decision: 'deny', reason: 'not today' } });
		}
		await route.continue();
	});
	await rowsOf(page).first().getByRole('button', { name: 'Approve' }).click();
	await expect(rowsOf(page).first().getByRole('status')).toContainText(
		/^✕ Already denied by an operator \(unnamed token\): “not today”$/,
	);
	await page.goto(`${server.url}/approvals`);
	const card = page.getByRole('article').filter({ hasText: 'rm other' });
	await card.getByRole('button', { name: 'Approve once' }).click();
	await expect(card.getByRole('status')).toContainText(
		/^Already denied by an operator \(unnamed token\): “not today”\. That stands/,
	);
	await page.close();
	await server.stop();
	await Promise.all(answers);
});

test('R1202 what does not fit is opened, not approved: on a line, on a card, and on a phone', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const long = `rm ${Array.from({ length: 10 }, (_, at) => `build/cache/part-${at}`).join(' ')} && echo done`;
	const longer = `rm a\n${Array.from({ length: 40 }, (_, at) => `echo ${at}`).join('\n')}`;
	const answers = await holding(server, ['rm short', long, longer]);
	for (const [viewport, inLine] of [
		[WIDE, [true, true, false]],
		[PHONE, [true, false, false]],
	] as const) {
		const page = await operatorPage('/', { server, viewport, touch: viewport === PHONE });
		for (const [at, fits] of inLine.entries()) {
			const row = rowsOf(page).nth(at);
			await expect(row.getByRole('button', { name: 'Deny' })).toBeEnabled();
			await expect(row.getByRole('button', { name: 'Approve' })).toHaveCount(fits ? 1 : 0);
			await expect(row.getByRole('link', { name: 'Open' })).toBeVisible();
		}
		await rowsOf(page).nth(2).focus();
		await page.keyboard.press('a');
		const card = page.getByRole('article').first();
		await expect(card).toBeFocused();
		await expect(card.getByRole('button', { name: 'Deny' })).toBeEnabled();
		await expect(card.getByRole('button', { name: 'Approve once' })).toBeDisabled();
		await page.keyboard.press('a');
		await card.getByRole('button', { name: 'Show all of it' }).click();
		await expect(card.getByText('echo 39')).toBeInViewport();
		await expect(card.getByRole('button', { name: 'Approve once' })).toBeEnabled();
		await page.context().close();
	}
	expect(await waitingAt(server)).toHaveLength(3);
	await server.stop();
	await Promise.all(answers);
});

test('the opened card is at the top, has the focus, and stays there', async ({
	ownServer,
	operatorPage,
	token,
	api,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const answers = await holding(server, ['rm part-0', 'rm part-1', 'rm part-2', 'rm part-3', 'rm part-4']);
	const operator = await token('operator', server);
	for (const [viewport, gone] of [
		[WIDE, 'rm part-0'],
		[PHONE, 'rm part-1'],
	] as const) {
		const page = await operatorPage('/', { server, viewport, touch: viewport === PHONE });
		await rowsOf(page).filter({ hasText: 'part-4' }).getByRole('link', { name: 'Open' }).click();
		const card = page.getByRole('article', { name: 'rm is not allowed here [rm part-4]' });
		await expect(card).toBeFocused();
		const topOf = async () => Math.round((await card.boundingBox())?.y ?? Number.NaN);
		expect(await topOf()).toBeLessThan(viewport.height / 4);
		await expect(card.getByRole('button', { name: 'Approve once' })).toBeInViewport({ ratio: 1 });
		await expect(card.getByRole('button', { name: 'Approve once' })).toBeEnabled();
		const before = await topOf();
		const other = (await waitingAt(server)).find(({ title }) => title === gone);
		await api(`/api/approvals/${other?.id}`, operator, { server, data: { decision: 'deny' } });
		answers.push(ask(server, `rm more-${viewport.width}`, `toolu_more_${viewport.width}`));
		await expect(page.getByRole('article', { name: `more-${viewport.width}` })).toBeAttached();
		await expect(page.getByRole('article', { name: gone }).getByRole('status')).toBeAttached();
		expect(await topOf()).toBe(before);
		await expect(card).toBeFocused();
		await page.context().close();
	}
	await server.stop();
	await Promise.all(answers);
});

test('j begins with what needs you; no line of it breaks at 1024 px, and an alarm names its project on a phone', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const answers = await holding(server, ['rm part-0', 'rm part-1']);
	writeStory(server.home, 'works', Date.now() - 1000, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		{ type: 'prompt:submit', prompt: 'Go on.', source: 'user' },
	]);
	const page = await operatorPage('/', { server, viewport: { width: 1024, height: 768 } });
	await expect(page.getByRole('region', { name: 'Running' }).getByRole('link')).toBeVisible();
	const rows = rowsOf(page);
	await expect(rows).toHaveCount(2);
	for (const at of [0, 1]) {
		await page.keyboard.press('j');
		await expect(rows.nth(at)).toBeFocused();
	}
	await page.keyboard.press('j');
	await expect(page.getByRole('region', { name: 'Running' }).getByRole('link')).toBeFocused();
	const middle = async (name: 'Deny' | 'Open') => {
		const [, y] = await middleOf(rows.first().getByRole(name === 'Deny' ? 'button' : 'link', { name }));
		return Math.round(y);
	};
	expect(await middle('Open')).toBe(await middle('Deny'));
	await expect(page.getByRole('region', { name: 'Running' })).not.toContainText('denied');

	writeStory(server.home, 'silent', Date.now() - 30 * 60_000, [
		{ type: 'session:start', project: 'identity-service', branch: 'main' },
		{ type: 'prompt:submit', prompt: 'Rename every field of the session in all of the services.', source: 'user' },
	]);
	await page.setViewportSize(PHONE);
	const project = page.getByRole('region', { name: 'Alarms' }).getByText('identity-service/main');
	await expect(project).toBeVisible();
	expect(await project.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0);
	await page.close();
	await server.stop();
	await Promise.all(answers);
});
