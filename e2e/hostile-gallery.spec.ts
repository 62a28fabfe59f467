import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { expect, test } from './fixtures.ts';
import { hostileEvents } from './hostile/hostile-events.ts';
import { type Watch, watchPage } from './hostile/inert-page.ts';
import { hostilePayloads, type Payload } from './hostile/payloads.ts';
import { bareEnvironment } from './rig/bare-environment.ts';
import { postHook } from './rig/door.ts';
import { SIGNALBOX } from './rig/repository.ts';
import { agentCall, planFor } from './rig/routing.ts';

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const TABS = ['Story', 'Lanes', 'Plan', 'Verdicts', 'Raw'];

// A trace of pages with a thousand chips is large and of no use: what acts is named.
test.use({ trace: 'off' });

/** As long as an id may be. */
const sessionOf = (at: number) => `${'g'.repeat(120)}${String(at).padStart(8, '0')}`;

/** What every object has: a look-up by an agent's word finds it where nothing was put. */
const INHERITED = ['__proto__', 'constructor', 'toString'];

/** The payloads from another one on for each of `count` sessions. */
function turned(payloads: readonly Payload[], count: number): string[][] {
	const texts = payloads.map(({ text }) => text);
	const starts = Array.from({ length: count }, (_, at) => Math.floor((at * texts.length) / count));
	return starts.map((start) => [...texts.slice(start), ...texts.slice(0, start)]);
}

/** Writes a session for each pool of texts, in which every field holds one of them. */
function writeSessions(home: string, pools: readonly (readonly string[])[]): void {
	for (const [at, pool] of pools.entries()) {
		let nth = 0;
		const next = () => pool[nth++ % pool.length] ?? '';
		const folder = join(home, 'sessions', sessionOf(at));
		mkdirSync(folder, { recursive: true });
		for (const line of hostileEvents(sessionOf(at), Date.now() - 3_600_000, next)) {
			appendFileSync(join(folder, 'timeline.jsonl'), `\n${JSON.stringify(line)}\n`);
		}
		const habit = { id: 'h1', confidence: 0.9, count: 3, trigger: next(), action: next(), stage: next() };
		writeFileSync(join(folder, 'observations.jsonl'), `${JSON.stringify(habit)}\n`);
	}
}

/** Chooses every row of the story, from the oldest, and looks at its detail. Gives how many there were. */
async function lookAtRows(page: Page, watch: Watch, isPhone: boolean): Promise<number> {
	const story = page.getByRole('list', { name: 'Story' });
	const rows = story.getByRole('button');
	const detail = isPhone ? page.getByRole('dialog', { name: 'Detail' }) : page.getByRole('region', { name: 'Detail' });
	const seen = new Set<string>();
	await story.evaluate((list) => list.parentElement?.scrollTo(0, 0));
	for (;;) {
		const keys = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row') ?? ''));
		const key = keys.find((each) => !seen.has(each));
		if (key === undefined) return seen.size;
		seen.add(key);
		await rows.nth(keys.indexOf(key)).click();
		await expect(detail.getByRole('heading').first()).toBeVisible();
		await watch.expectInert(`the row ${JSON.stringify(key)}`);
		if (isPhone) await page.keyboard.press('Escape');
	}
}

for (const [size, viewport] of Object.entries(SIZES)) {
	test(`R741 B4: every field of every event, on every reading of a session, is only seen: ${size}`, async ({
		ownServer,
		operatorPage,
		expectConsole,
	}) => {
		test.setTimeout(3_600_000);
		// A handoff whose file is gone, or whose name no file may have.
		expectConsole(/40(4 \(Not Found\)|0 \(Bad Request\)).*\/handoffs\//);
		const { numRuns: sessions, seed } = soakRuns(`B4 fields, ${size}`, 1, 50);
		const payloads = hostilePayloads(seed);
		const server = await ownServer();
		writeSessions(server.home, [INHERITED, ...turned(payloads, sessions - 1)]);
		const page = await operatorPage('/', { server, viewport });
		const watch = watchPage(page, server.url);
		await expect(page.getByRole('main').getByRole('link')).not.toHaveCount(0);
		await watch.expectInert('the list');
		let rows = 0;
		for (let at = 0; at < sessions; at += 1) {
			await page.goto(`/sessions/${sessionOf(at)}`);
			for (const tab of TABS) {
				await page.getByRole('tab', { name: tab }).click();
				await expect(page.getByRole('tabpanel').locator('bdi').first()).toBeVisible();
				await watch.expectInert(`session ${at}, ${tab}`);
			}
			await page.getByRole('tab', { name: 'Story' }).click();
			if (at % 3 === 0) rows += await lookAtRows(page, watch, size === 'phone');
		}
		expect(rows).toBeGreaterThan(40);
		for (const path of ['/status', '/rules', '/access', '/approvals', '/features']) {
			await page.goto(path);
			await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
			await watch.expectInert(path);
		}
		soakCounts(`B4 fields, ${size}`, { payloads: payloads.length, sessions, rows });
	});
}

test('B4: an approval card shows each text to the letter, or marks what cannot be seen', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	test.setTimeout(600_000);
	const { seed } = soakRuns('B4 cards', 200, 500);
	const payloads = hostilePayloads(seed);
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const { dir } = await project({ name: 'gallery', plan: planFor('developer'), server });
	const cards = 5;
	for (let at = 0; at < cards; at += 1) {
		const mine = payloads.filter((_payload, nth) => nth % cards === at).map(({ text }) => text);
		const call = agentCall({ sessionId: `card-${at}`, cwd: dir, agent: `agent ${mine[0]?.replaceAll(':', '')}` });
		const fields = Object.fromEntries(mine.map((text) => [text, text]));
		const input = { ...call, tool_input: { ...call.tool_input, description: mine[1], prompt: mine[2], ...fields } };
		// Each waits until the server ends.
		void postHook(server.socketPath, input).catch(() => {});
	}
	const page = await operatorPage('/approvals', { server, viewport: SIZES.phone });
	const watch = watchPage(page, server.url);
	await expect(page.getByRole('article')).toHaveCount(cards);
	const blocked = page.locator('article button[aria-disabled="true"]', { hasText: 'Approve once' });
	await expect(blocked).toHaveCount(cards);
	for (let at = 0; at < cards; at += 1) {
		const card = page.locator('article').nth(at);
		await card.locator('button', { hasText: 'Show the other' }).click();
	}
	await expect(blocked).toHaveCount(0);
	await watch.expectInert('the cards');
	const texts = new Set(await watch.readTexts());
	expect(payloads.filter(({ text }) => !texts.has(text))).toEqual([]);
	soakCounts('B4 cards', { payloads: payloads.length, texts: texts.size });
});

/** What no decision may hold. */
const UNFIT = /\0|\p{Cs}/gu;

/** What decides, says and remembers a hostile reason: a denial, a grant after it, an approval, and one that waits. */
async function decideAll(url: string, token: string, reasonOf: (at: number) => string): Promise<void> {
	const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
	const post = async (path: string, body: unknown) => {
		const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
		expect([path, answer.status]).toEqual([path, 200]);
	};
	const { approvals } = await (await fetch(`${url}/api/approvals?state=waiting`, { headers })).json();
	const [first, second] = approvals as { id: string }[];
	await post(`/api/approvals/${first?.id}`, { decision: 'deny', reason: reasonOf(1) });
	await post('/api/grants', { approvalId: first?.id, scope: 'session', reason: reasonOf(2) });
	await post(`/api/approvals/${second?.id}`, { decision: 'approve', reason: reasonOf(3) });
}

test('B4: documents, decisions, grants, addresses and recordings are only seen, on a phone too', async ({
	ownServer,
	operatorPage,
	project,
	token,
	expectConsole,
}) => {
	test.setTimeout(3_600_000);
	expectConsole(/404 \(Not Found\)|400 \(Bad Request\)/);
	const { numRuns: addresses, seed } = soakRuns('B4 pages', 1, 500);
	const payloads = hostilePayloads(seed);
	const textAt = (at: number) => payloads[at % payloads.length]?.text ?? '';
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	const { dir, write, writePlan } = await project({ name: 'gallery', server });
	writePlan({
		...planFor('developer'),
		planId: textAt(seed),
		request: textAt(seed + 1),
		phases: [
			{
				phase: 1,
				tasks: payloads.map(({ text }, at) => ({ id: `${at}`, agent: text, description: text, status: 'pending' })),
			},
		],
	});
	const whole = payloads.map(({ text }) => text).join('\n');
	const feature = 'specs/features/in-progress/gallery';
	write(
		`${feature}/tasks.md`,
		`---\nfeature: gallery\nworkflow: standard\n---\n${payloads.map(({ text }) => `- [ ] ${text}`).join('\n')}\n`,
	);
	write(`${feature}/proposal.md`, whole);
	write(`${feature}/a\u202e\u0007 <img src=x onerror=window.pwned=1>.md`, whole);
	writeSessions(server.home, turned(payloads, 1));
	appendFileSync(
		join(server.home, 'sessions', sessionOf(0), 'timeline.jsonl'),
		['session:start', 'workflow:start', 'specs:init']
			.map((type, at) => {
				const envelope = {
					id: `last-${at}`,
					ts: new Date().toISOString(),
					sessionId: sessionOf(0),
					category: 'x',
					label: 'x',
				};
				return `\n${JSON.stringify({ ...envelope, type, cwd: dir, workflowType: textAt(at), featureName: 'gallery', stages: [] })}\n`;
			})
			.join(''),
	);
	for (let at = 0; at < 3; at += 1) {
		// Each waits until it is decided or the server ends.
		void postHook(
			server.socketPath,
			agentCall({ sessionId: `asks-${at}`, cwd: dir, agent: 'stranger', toolUseId: `half\ud800 ${at}` }),
		).catch(() => {});
	}
	const url = `http://127.0.0.1:${server.port}`;
	const page = await operatorPage('/approvals', { server, viewport: SIZES.phone });
	const watch = watchPage(page, server.url);
	const expectInert = async (where: string, shows: Locator) => {
		await expect(shows.first()).toBeVisible();
		await watch.expectInert(where);
	};
	await expect(page.locator('article')).toHaveCount(3);
	await decideAll(url, await token('operator', server), (at) =>
		textAt(seed + 10 + at)
			.slice(0, 2000)
			.replaceAll(UNFIT, ''),
	);
	await page.goto('/approvals');
	await expectInert('decided', page.getByRole('region', { name: 'Decided' }));
	await expectInert('grants', page.getByRole('region', { name: 'Active grants' }));
	await page.goto('/features');
	await page.getByRole('link', { name: 'gallery' }).first().click();
	await expectInert('documents', page.getByText('proposal.md'));
	for (const summary of await page.locator('summary').all()) await summary.click();
	await watch.expectInert('open documents');
	await page.getByRole('button', { name: 'Archive gallery' }).click();
	await expectInert('the question before it is archived', page.getByRole('dialog'));
	await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
	await page.goto('/features');
	await page.getByRole('region', { name: 'Archive' }).getByRole('link', { name: 'gallery' }).click();
	await expectInert('the recording', page.getByRole('region', { name: 'Chapters' }));
	for (const tab of TABS) {
		await page.getByRole('tab', { name: tab }).click();
		await expectInert(`the recording, ${tab}`, page.getByRole('tabpanel').locator('bdi', { hasText: /hp\d/ }));
	}
	for (let at = 0; at < addresses; at += 1) {
		const text = encodeURIComponent(
			textAt(at * 41)
				.slice(0, 120)
				.replaceAll(/\p{Cs}/gu, ''),
		);
		await page.goto(`/sessions/${sessionOf(0)}?row=${text}&tool=${text}&agent=${text}&type=${text}&decision=${text}`);
		await expectInert(`the filters ${text}`, page.getByRole('heading'));
		for (const path of [`/sessions/${text}`, `/features/${text}`, `/approvals?card=${text}`]) {
			const response = await page.goto(path);
			if (response?.headers()['content-type']?.startsWith('text/html'))
				await expectInert(path, page.getByRole('heading'));
		}
		await page.goto(`/login?to=${text}`);
		await page.waitForURL(({ pathname }) => pathname !== '/login');
	}
	soakCounts('B4 pages', { payloads: payloads.length, addresses });
});

/** What a terminal would act on. */
const ACTS = /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

test('B4: no command prints what a terminal would act on', async ({ ownServer, project }) => {
	test.setTimeout(600_000);
	const { numRuns: sessions, seed } = soakRuns('B4 commands', 1, 20);
	const payloads = hostilePayloads(seed);
	const server = await ownServer();
	const { dir, write } = await project({ name: 'gallery', server });
	write(
		'specs/features/in-progress/gallery/tasks.md',
		`---\nfeature: gallery\n---\n- [ ] ${payloads[seed % 500]?.text}\n`,
	);
	writeSessions(server.home, [INHERITED, ...turned(payloads, sessions - 1)]);
	const argument = payloads.map(({ text }) => text.replaceAll('\u0000', '')).filter((text) => text !== '');
	const commands: string[][] = [];
	for (let at = 0; at < sessions; at += 1) {
		const text = argument[(seed + at * 7) % argument.length] ?? '';
		const session = ['--session', sessionOf(at)];
		commands.push(
			['workflow', 'status', ...session],
			['workflow', 'start', text, ...session],
			['workflow', 'start', 'quick', '--feature', text, ...session],
			['supervisor', 'status', ...session],
			['supervisor', 'status', '--session', text],
			['feature', 'new', text],
			['feature', 'archive', text],
			['archive', 'open', text],
			['archive', 'verify', text],
			['audit', 'redact', text],
			['notify', text],
			['doctor', '--project', text],
			['init', '--print', '--project', text],
			[text],
			['token', 'create', '--role', text],
		);
	}
	commands.push(
		['doctor'],
		['feature', 'list'],
		['archive', 'verify'],
		['audit', 'verify'],
		['audit', 'export', '--format', 'csv'],
	);
	const options = { cwd: dir, env: bareEnvironment({ OVERTONE_HOME: server.home, HOME: server.home }) };
	for (const words of commands) {
		const printed = await new Promise<string>((resolve) =>
			execFile(process.execPath, [SIGNALBOX, ...words], options, (_error, stdout, stderr) => resolve(stdout + stderr)),
		);
		expect(printed, JSON.stringify(words)).not.toBe('');
		expect(printed, JSON.stringify(words)).not.toMatch(ACTS);
	}
	soakCounts('B4 commands', { commands: commands.length });
});
