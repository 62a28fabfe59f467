import type { Page } from '@playwright/test';
import { openHubDatabase } from '#server/hub/database/database.ts';
import { postgresPrograms } from '#server/hub/testing/postgres-cluster.ts';
import { redisProgram } from '#server/hub/testing/redis-server.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { startHub, type TestHub } from './rig/hub.ts';
import { agentCall, planFor } from './rig/routing.ts';
import { signalbox } from './rig/signalbox-command.ts';
import { addAuthenticator } from './rig/virtual-authenticator.ts';

/** Sessions beside those that are there, each like one of them. */
async function seedSessions(url: string, count: number) {
	const { query, close } = openHubDatabase(url, () => undefined);
	await query(
		`WITH made AS (
			INSERT INTO sessions (edge, session_id, team, project, part, fold)
			SELECT s.edge, 'more-' || n, s.team, s.project, s.part, s.fold
			FROM (SELECT * FROM sessions LIMIT 1) s, generate_series(1, $1::int) n RETURNING key
		) INSERT INTO summaries SELECT made.key, m.edge, m.team, m.project, m.day, 0, m.state, m.last_ms - made.key, false, false, m.json
		FROM made, (SELECT * FROM summaries LIMIT 1) m`,
		[count],
	);
	await close();
}

/** What an admin does with machines and people. */
async function admin(page: Page, hub: TestHub) {
	await page.keyboard.press('g');
	await page.keyboard.press('m');
	const machines = page.getByRole('list', { name: 'Machines' }).getByRole('button');
	await expect(machines).toHaveText([/desktop/, /laptop/]);
	await page.getByRole('button', { name: 'Add a machine' }).press('Enter');
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('combobox', { name: 'Team' }).fill('web');
	await page.keyboard.press('Enter');
	await expect(dialog).toContainText('Good once');
	await expect(dialog).toContainText('Waiting for the machine…');
	expect(await axeFindings(page)).toEqual([]);
	await hub.joinBy((await dialog.locator('pre').textContent()) ?? '', 'runner');
	await expect(dialog).toContainText('Joined: runner');
	await page.keyboard.press('Escape');
	await expect(machines).toHaveText([/desktop/, /laptop/, /runner/]);

	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	await expect(dialog).toContainText('H0: watched only');
	await dialog.getByRole('button', { name: 'Revoke…' }).press('Enter');
	await expect(dialog).toContainText('does not let it in again');
	await page.keyboard.press('Enter');
	await expect(dialog).toContainText('✕ Revoked');
	await page.keyboard.press('Escape');
	await expect(machines).toHaveText([/laptop/, /runner/, /desktop.*Revoked/]);
	expect(await axeFindings(page)).toEqual([]);

	await page.keyboard.press('g');
	await page.keyboard.press('p');
	await expect(page.getByRole('region', { name: 'People' }).getByRole('button')).toHaveText([
		/Owner.*you.*admin, operator · everywhere/,
	]);
	await expect(page.getByRole('region', { name: 'Sign-ins and tokens' })).toContainText('this one');
	expect(await axeFindings(page)).toEqual([]);
}

test.skip(postgresPrograms === undefined, 'there is no Postgres on this machine');

test('the sessions of two machines are watched on the pages of their hub, live, and decided there where their owners let it', async ({
	browser,
	ownServer,
	project,
	hook,
}) => {
	// Two machines and their hub: three servers at a time.
	test.setTimeout(300_000);
	// A command takes a second of one core, most of all to start: what need not wait for another does not.
	const [hub, server] = await Promise.all([startHub(1, 'localhost'), ownServer({ SIGNALBOX_HOLD_SECONDS: '60' })]);
	const lines = [hub.newLine('shop'), hub.newLine('web')];
	const tellLaptop = await hub.machine('laptop', 'shop', lines[0]);
	const [tellDesktop, { dir }] = await Promise.all([
		hub.machine('desktop', 'web', lines[1]),
		project({ name: 'depot', plan: planFor('developer'), server }),
	]);
	await Promise.all([tellLaptop('s1', 1, 'Mend the cart.'), tellDesktop('s1', 1, 'Write the imprint.')]);

	const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
	const errors: string[] = [];
	context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	context.on('weberror', (error) => errors.push(String(error.error())));
	const page = await context.newPage();
	await page.goto(hub.link());
	const rows = page.getByRole('main').getByRole('link');
	await expect(rows).toHaveCount(2);
	await expect(rows.filter({ hasText: 'laptop' })).toHaveAttribute('href', '/sessions/1/s1');
	await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText([
		...[/Sessions/, /Approvals/, /Features/, /Rules/, /Decisions/, /Machines/, /People/],
	]);

	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by Machine' }).selectOption('desktop');
	await expect(rows).toHaveCount(1);
	await page.getByRole('button', { name: /^Machine desktop/ }).click();
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by Team' }).selectOption('shop');
	await expect(rows).toHaveText([/laptop/]);

	// The address is written a moment after the list: a navigation in between would be taken back.
	await expect(page).toHaveURL(/team=shop/i);
	await rows.click();
	await expect(page.getByText('laptop · shop')).toBeVisible();
	await page.getByRole('tab', { name: 'Story' }).click();
	await expect(page.getByRole('main')).toContainText('Mend the cart.');
	await tellLaptop('s1', 2, 'Now the coupons.');
	await expect(page.getByRole('main')).toContainText('Now the coupons.');
	for (const tab of ['Overview', 'Lanes', 'Plan', 'Verdicts', 'Raw']) {
		await page.getByRole('tab', { name: tab }).click();
		await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
	}
	await test.step('what is done at the machine itself is not offered at its hub', async () => {
		await page.getByRole('tab', { name: 'Verdicts' }).click();
		await expect(page.getByRole('tabpanel')).toContainText('Nothing was judged yet');
		await expect(page.getByText('This is done at the machine itself')).toHaveCount(0);
		await expect(page.getByRole('button', { name: 'Start workflow' })).toHaveCount(0);
	});
	const goto = (path: string) => page.goto(new URL(path, page.url()).href);
	await goto('/sessions/1/none');
	await expect(page.getByRole('main')).toContainText('No machine of this hub has sent a session 1/none');
	await hub.setPolicy('shop', { commands: { exclude: ['rm'] } });
	await goto('/rules');
	await expect(page.getByRole('region', { name: 'shop' })).toContainText(/v1.*in force.*commands\.exclude\["rm"\]/);
	await goto('/status');
	await expect(page.getByRole('main')).toContainText('belong to each machine');
	await goto('/features');
	await expect(page.getByRole('main')).toContainText('No archived feature is here');

	await test.step('what gates decided on all machines is listed and counted, and leads to its session', async () => {
		const call = { toolUseId: 'call-1', tool: 'Bash', input: { command: 'curl x' } };
		const denial = {
			gate: 'command-policy',
			decision: 'deny',
			rule: 'command.network',
			reason: 'no network',
			facts: {},
		};
		await tellLaptop(
			's1',
			3,
			'Fetch it.',
			{ ...call, type: 'tool:call' },
			{ ...call, ...denial, type: 'gate:verdict' },
		);
		await goto('/decisions');
		await expect(page.getByText('1 decision, the newest first')).toBeVisible();
		const lines = page.getByRole('region', { name: 'Ledger' }).getByRole('link');
		await expect(lines).toContainText([/curl x.*shop · laptop/]);
		const views = page.getByRole('navigation', { name: 'Saved views' });
		await views.getByRole('link', { name: 'Overridden' }).click();
		await expect(page.getByText('No decision fits.')).toBeVisible();
		await views.getByRole('link', { name: 'All' }).click();
		await lines.click();
		await expect(page).toHaveURL(/\/sessions\/1\/s1\?.*row=/);
		await expect(page.getByRole('main')).toContainText('no network');
	});
	await test.step('a text of any machine is found, and leads to its row', async () => {
		await goto('/search?q=coupons');
		const found = page.getByRole('main').getByRole('link').filter({ hasText: 'Now the coupons.' });
		await expect(found).toHaveAttribute('href', /^\/sessions\/1\/s1\?.*row=/);
		expect(await axeFindings(page)).toEqual([]);
		await goto('/search?q=imprint');
		await expect(page.getByRole('main')).toContainText('Write the imprint.');
		await goto('/');
		await expect(rows).toHaveCount(2);
	});
	await test.step('an admin adds a machine, sends one away, and sees it; all by keyboard', () => admin(page, hub));
	await test.step('of many sessions more are shown, as many as were counted', async () => {
		await seedSessions(hub.database, 350);
		await goto('/');
		await expect(page.getByText('The newest 100 of 352 are shown.')).toBeVisible();
		await page.getByRole('button', { name: 'Show 200 more' }).click();
		await expect(rows).toHaveCount(300);
		await page.getByRole('button', { name: 'Show 52 more' }).click();
		await expect(rows).toHaveCount(352);
	});
	await test.step('R2047 a call that waits at a machine is approved on the pages of its hub, and its hook lets it run', async () => {
		await Promise.all([hub.joinAt(server.home, 'builder', 'shop', 'hub'), server.stop()]);
		await server.start();
		const waiting = hook(agentCall({ sessionId: 'asks', cwd: dir, agent: 'architect' }), { server });
		await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click();
		const card = page.getByRole('article').filter({ hasText: 'architect' });
		await expect(card).toContainText('H1: builder (shop) believes this hub, without a passkey');
		await expect(card.getByRole('link').first(), 'R2181').toHaveText(/^depot · .*builder/);
		const approval = await card.getAttribute('data-card');
		const underWay = [{ approval, decision: 'deny', name: 'Eve', machine: 'builder' }];
		await page.route('**/api/hub/decisions', (route) => route.fulfill({ json: { decisions: underWay } }));
		await expect(card, 'R2180').toContainText('Eve has denied it: builder has not answered yet.');
		await page.unroute('**/api/hub/decisions');
		await expect(card).toContainText('H1: builder (shop) believes this hub, without a passkey');
		await card.getByRole('textbox', { name: 'Reason' }).fill('the data model comes first');
		await card.getByRole('button', { name: 'Approve once' }).click();
		const { exitCode, stdout } = await waiting.ended;
		expect([exitCode, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, 'allow']);
		await expect(card.getByRole('status').filter({ hasText: 'Owner at the hub' })).toContainText(
			'Approved by an operator (Owner at the hub): “the data model comes first”',
		);
	});
	expect(errors, 'console and page errors').toEqual([]);
	await test.step('the page of an archived session names that, reports an unavailable store, and appears when the store is back', async () => {
		await hub.archive(2, 's1');
		hub.s3.setAway(true);
		await goto('/sessions/2/s1');
		const main = page.getByRole('main');
		await expect(main.getByRole('alert')).toContainText('The archive of this session cannot be read now.');
		expect(await axeFindings(page)).toEqual([]);
		await main.getByRole('button', { name: 'Try again' }).click();
		await expect(main.getByRole('alert')).toContainText('The archive of this session cannot be read now.');
		hub.s3.setAway(false);
		await expect(main).toContainText(/archived .*, not live/);
		await expect(main).toContainText('Write the imprint.');
	});
	await test.step('R2135 once a root passkey has signed who may, a call is approved by a touch at a machine that checks passkeys', async () => {
		await addAuthenticator(page);
		await goto('/people');
		await page.getByRole('button', { name: 'Add a passkey' }).click();
		await page.getByRole('textbox', { name: 'Its name' }).fill('phone');
		await page.getByRole('button', { name: 'Make the passkey' }).click();
		await expect(page.getByRole('region', { name: 'Your passkeys' })).toContainText('phone');
		await Promise.all([hub.makeRoot(), signalbox(server.home, ['leave']).then(() => server.stop())]);
		await hub.joinAt(server.home, 'vault', 'shop', 'passkey');
		await Promise.all([server.start(), page.reload()]);
		await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Owner' }).click();
		const roster = page.getByRole('dialog').getByRole('region', { name: 'Roster' });
		await roster.getByRole('button', { name: 'Sign phone into the roster' }).click();
		await expect(roster.getByRole('listitem')).toHaveText(/phone\s*in the roster/);
		expect(await axeFindings(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await hub.rosterDone();

		const waiting = hook(agentCall({ sessionId: 'asks-more', cwd: dir, agent: 'reviewer' }), { server });
		await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click();
		await expect(page.getByRole('region', { name: 'Decided' })).toContainText(/depot.* · builder/);
		const card = page.getByRole('article').filter({ hasText: 'reviewer' });
		await expect(card).toContainText('H2: vault (shop) checks your passkey itself');
		await card.getByRole('button', { name: 'Approve once' }).click();
		const { stdout } = await waiting.ended;
		expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	});
	await test.step('a touch approves a call and has its machine remember it; the hub shows that, and takes it back', async () => {
		const call = agentCall({ sessionId: 'asks-more', cwd: dir, agent: 'tester', toolUseId: 'toolu_first' });
		const waiting = hook(call, { server });
		const card = page.getByRole('article').filter({ hasText: 'tester' });
		await card.getByRole('button', { name: 'Approve and remember…' }).click();
		const form = card.getByRole('form', { name: 'Approve and remember' });
		await expect(form).toContainText('It holds at vault alone');
		await expect(form.getByRole('radio')).toHaveCount(1);
		expect(await axeFindings(page)).toEqual([]);
		await form.getByRole('textbox', { name: 'Reason' }).fill('tests may run');
		await form.getByRole('button', { name: 'Approve and remember' }).click();
		expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
		const later = await hook({ ...call, tool_use_id: 'toolu_later' }, { server }).ended;
		expect(JSON.parse(later.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' });
		await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Rules' }).click();
		const granted = page.getByRole('region', { name: 'Allowed from the hub' });
		await expect(granted).toContainText(/for this session.*at vault \(shop\).*by Owner at the hub.*tests may run/);
		expect(await axeFindings(page)).toEqual([]);
		await granted.getByRole('button', { name: /^Revoke the grant/ }).click();
		await expect(granted).toHaveCount(0);
	});
	await context.close();
	expect(hub.errors()).toEqual([]);
	await hub.stop();
});

test('a page that watches a session continues without a reload when its replica is killed, and misses nothing', async ({
	page,
}) => {
	test.skip(redisProgram === undefined, 'there is no Redis on this machine');
	const hub = await startHub(2);
	const tell = await hub.machine('laptop', 'shop');
	await tell('s1', 1, 'Said before.');
	await page.goto(hub.link());
	await page.getByRole('main').getByRole('link').click();
	await page.getByRole('tab', { name: 'Story' }).click();
	const story = page.getByRole('main');
	await expect(story).toContainText('Said before.');
	let loads = 0;
	page.on('load', () => {
		loads += 1;
	});

	await tell('s1', 2, 'Said to both.');
	await expect(story).toContainText('Said to both.');
	await hub.killWatched();
	await tell('s1', 3, 'Said to the other one.');
	await expect(story).toContainText('Said to the other one.');
	for (const words of ['Said before.', 'Said to both.', 'Said to the other one.'])
		await expect(story.getByRole('button', { name: words })).toHaveCount(1);
	expect(loads).toBe(0);
	expect(hub.errors()).toEqual([]);
	await hub.stop();
});
