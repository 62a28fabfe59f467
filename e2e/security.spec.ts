import http, { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import { agentCall, planFor } from './rig/routing.ts';
import { signalbox } from './rig/signalbox-command.ts';

/** A request by hand, since fetch sets Host and Origin itself. Resolves with the status; 101 for an upgrade that passed. */
function rawRequest(port: number, path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
	return new Promise((resolve, reject) => {
		const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false });
		request.on('response', (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		});
		request.on('upgrade', (_response, socket) => {
			socket.destroy();
			resolve(101);
		});
		request.on('error', reject);
		request.end();
	});
}

test('R130 nothing is shown without signing in: pages lead to the sign-in page, API and websocket refuse', async ({
	server,
	page,
}) => {
	await postHook(server.socketPath, {
		session_id: 'secret',
		hook_event_name: 'UserPromptSubmit',
		prompt: 'TOP-SECRET',
	});
	for (const path of ['/', '/approvals', '/sessions/secret', '/sessions/secret?tab=raw', '/nothing']) {
		await page.goto(`${server.url}${path}`);
		await expect(page.getByText('You are not signed in.')).toBeVisible();
		expect(await page.content()).not.toContain('TOP-SECRET');
	}
	const { host } = new URL(server.url);
	for (const path of ['/api/sessions', '/api/sessions/secret', '/api/approvals', '/api/me', '/metrics', '/icon.svg']) {
		const refused = await rawRequest(server.port, path, { host });
		expect([path, refused >= 300 && refused < 500]).toEqual([path, true]);
	}
	const upgrade = {
		host,
		origin: server.url,
		connection: 'Upgrade',
		upgrade: 'websocket',
		'sec-websocket-version': '13',
	};
	const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
	expect(await rawRequest(server.port, '/socket.io/?EIO=4&transport=websocket', { ...upgrade, ...key })).toBe(401);
});

test('R131 B6: a foreign Host or Origin is refused, with valid credentials too', async ({ server, token }) => {
	const authorization = `Bearer ${await token('operator')}`;
	const host = `127.0.0.1:${server.port}`;
	expect(await rawRequest(server.port, '/api/sessions', { host, authorization })).toBe(200);
	const label = `guessed.signalbox.localhost:${server.port}`;
	for (const foreign of ['evil.example', `evil.example:${server.port}`, '127.0.0.1:1', 'signalbox.localhost', label]) {
		expect(await rawRequest(server.port, '/api/sessions', { host: foreign, authorization })).toBe(421);
	}
	for (const origin of ['http://evil.example', 'null', `http://localhost:${server.port}`, `https://${host}`]) {
		expect(await rawRequest(server.port, '/api/sessions', { host, authorization, origin })).toBe(403);
		expect(await rawRequest(server.port, '/api/approvals/x', { host, authorization, origin }, 'POST')).toBe(403);
	}
});

test('R139 a sign-in link works once', async ({ server, browser }) => {
	const link = (await signalbox(server.home, ['open'])).replace(/^Open /, '');
	const [first, second] = [await browser.newContext(), await browser.newContext()];
	const mine = await first.newPage();
	await mine.goto(link);
	await expect(mine.getByText('Live', { exact: true })).toBeVisible();
	expect(mine.url()).not.toContain('#');
	const theirs = await second.newPage();
	await theirs.goto(link);
	await expect(theirs.getByText('This link was used already')).toBeVisible();
	await theirs.goto(`${server.url}/approvals`);
	await expect(theirs.getByText('You are not signed in.')).toBeVisible();
	await first.close();
	await second.close();
});

test('a bookmark of a name that everybody can guess says how to get in', async ({ server, page }) => {
	for (const name of ['signalbox.localhost', 'localhost', '127.0.0.1']) {
		await page.goto(`http://${name}:${server.port}/sessions/any`);
		await expect(page.getByText('Nobody signs in at this address.')).toBeVisible();
		expect(await page.content()).not.toContain(new URL(server.url).hostname.split('.')[0]);
		expect(await page.context().cookies()).toEqual([]);
	}
});

test('a browser that has lost its storage shows it; a new link in another tab repairs every tab', async ({
	server,
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/status of 401|WebSocket connection/);
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	await page.evaluate(() => localStorage.clear());
	await page.reload();
	await expect(page.getByText('This browser has lost half of its sign-in')).toBeVisible();
	expect(new URL(page.url()).search).toBe('?to=%2Fapprovals');
	const other = await page.context().newPage();
	await other.goto((await signalbox(server.home, ['open'])).replace(/^Open /, ''));
	await expect(other.getByText('Live', { exact: true })).toBeVisible();
	await page.reload();
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	expect(new URL(page.url()).pathname).toBe('/approvals');
});

test('signing out ends what this browser may see', async ({ operatorPage, expectConsole }) => {
	expectConsole(/WebSocket connection|Failed to load resource/);
	const page = await operatorPage('/approvals', { ownSignIn: true });
	await page.getByRole('button', { name: /^Access: / }).click();
	const sheet = page.getByRole('dialog', { name: 'This sign-in' });
	await expect(sheet.getByText(/A sign-in link was made at .*\d\d:\d\d/).first()).toBeVisible();
	await sheet.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByText('You are not signed in.')).toBeVisible();
	await page.goto('/approvals');
	await expect(page.getByText('You are not signed in.')).toBeVisible();
});

test('B6: a page of another port of this machine can neither read nor act, and never gets the cookie', async ({
	server,
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/CORS|Failed to load resource|WebSocket connection|Refused to|frame|localhost/);
	const seen: IncomingMessage['headers'][] = [];
	const attacker = createServer((request, response) => {
		seen.push(request.headers);
		response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another tool</title><body>');
	});
	await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
	const { port } = attacker.address() as AddressInfo;
	try {
		const signedIn = await operatorPage('/');
		await expect(signedIn.getByText('Live', { exact: true })).toBeVisible();
		const page = await signedIn.context().newPage();
		await page.goto(`http://localhost:${port}/`);
		const attempts = await page.evaluate(async (target) => {
			const tried = async (work: () => Promise<unknown>) => work().catch(() => 'refused');
			const read = (init: RequestInit) => async () => {
				const answer = await fetch(`${target}/api/sessions`, init);
				return answer.type === 'opaque' ? 'opaque' : `${answer.status} ${await answer.text()}`;
			};
			const socket = () =>
				new Promise((resolve) => {
					const ws = new WebSocket(`${target.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
					ws.onopen = () => resolve('open');
					ws.onerror = () => resolve('refused');
				});
			const frame = async () => {
				const element = document.createElement('iframe');
				element.src = target;
				document.body.append(element);
				await new Promise((resolve) => element.addEventListener('load', resolve));
				return element.contentDocument === null ? 'refused' : 'readable';
			};
			return {
				read: await tried(read({ credentials: 'include' })),
				blind: await tried(read({ credentials: 'include', mode: 'no-cors' })),
				act: await tried(async () => {
					const body = JSON.stringify({ decision: 'approve' });
					const init: RequestInit = { method: 'POST', mode: 'no-cors', credentials: 'include', body };
					return (await fetch(`${target}/api/approvals/any`, init)).type;
				}),
				socket: await socket(),
				frame: await frame(),
			};
		}, server.url);
		// An opaque or refused answer tells nothing; what a blind request may do is shown by the statuses of the rules above.
		expect(attempts).toMatchObject({ read: 'refused', socket: 'refused', frame: 'refused' });
		expect(['opaque', 'refused']).toContain(attempts.blind);
		expect(['opaque', 'refused']).toContain(attempts.act);
		expect(seen.length).toBeGreaterThan(0);
		for (const headers of seen) expect(headers.cookie ?? '').not.toContain('signalbox');
	} finally {
		attacker.closeAllConnections();
		attacker.close();
	}
});

test('every page has a policy with a fresh nonce that lets no inline script run', async ({
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/404 \(Not Found\).*\/nothing/);
	expectConsole(/other\.invalid/);
	const page = await operatorPage('/');
	// Told to the test and not kept in the page, which the sign-in page leaves at once.
	const violations: string[] = [];
	await page.exposeFunction('violated', (what: string) => void violations.push(what));
	await page.addInitScript(() => {
		addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
			Reflect.get(window, 'violated')(`${violatedDirective} ${blockedURI}`),
		);
	});
	const policies = new Set<string>();
	for (const path of ['/', '/approvals', '/sessions/none', '/nothing', '/login']) {
		const response = await page.goto(path);
		const policy = response?.headers()['content-security-policy'] ?? '';
		policies.add(policy);
		const scripts = policy.split('; ').find((part) => part.startsWith('script-src')) ?? '';
		expect(scripts).toMatch(/'nonce-[\w+/=]{20,}'/);
		expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/);
		expect(policy).toMatch(/frame-ancestors 'none'/);
		expect(response?.headers()['x-content-type-options']).toBe('nosniff');
		await expect(page.getByRole('heading').first()).toBeAttached();
	}
	expect(policies.size).toBe(5);
	expect(violations).toEqual([]);
	// The sign-in page continues automatically: an element added before that is lost.
	await page.waitForURL((url) => url.pathname === '/');
	// The test of the test: a violation of the policy is reported.
	await page.evaluate(() => {
		document.body.append(Object.assign(document.createElement('img'), { src: 'https://other.invalid/x.png' }));
	});
	await expect.poll(() => violations).toEqual(['img-src https://other.invalid/x.png']);
});

test.describe('hostile text of an agent', () => {
	const markup = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><a href="javascript:window.pwned=1">x</a>`;
	const unseen = `\u001b[31mred\u001b[0m \u202egnp.exe\u202c zero\u200bwidth \u0000nul \u2066iso\u2069 tag\u{e0041}`;
	const hostile = `${markup} ${unseen}`;
	/** A name is what follows the last colon. */
	const name = hostile.replaceAll(':', '');
	const megabyte = 'A'.repeat(1024 * 1024);

	async function expectHarmless(page: Page): Promise<void> {
		expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
		await expect(page.locator('main').locator('img, script, iframe, a[href^="javascript"]')).toHaveCount(0);
	}

	test('runs nowhere and hides nothing: prompt, input, output, agent, project and plan on every page', async ({
		server,
		operatorPage,
		project,
		hook,
	}) => {
		const plan = planFor('developer');
		const { dir, writePlan } = await project({ name: `p ${markup.replaceAll('/', '\u2215')} \u202ex\u200b` });
		writePlan({
			...plan,
			planId: `plan ${hostile}`,
			request: hostile,
			phases: [{ phase: 1, tasks: [{ id: hostile, agent: `dev ${name}`, description: hostile, status: 'pending' }] }],
		});
		const base = { session_id: 'hostile', cwd: dir };
		const call = {
			...base,
			tool_name: 'Bash',
			tool_use_id: 'toolu_h1',
			tool_input: { command: hostile, [markup]: megabyte },
		};
		const page = await operatorPage('/');
		await expect(page.getByText('Live', { exact: true })).toBeVisible();
		for (const input of [
			{ ...base, hook_event_name: 'SessionStart', source: hostile },
			{ ...base, hook_event_name: 'UserPromptSubmit', prompt: hostile },
			{ ...base, hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: `agent ${name}` },
			{ ...call, hook_event_name: 'PreToolUse' },
			{
				...call,
				hook_event_name: 'PostToolUse',
				tool_response: { stdout: `${hostile}${'A'.repeat(20_000)}`, stderr: hostile },
			},
			{ ...base, hook_event_name: 'MessageDisplay', final: true, delta: hostile },
			{ ...base, hook_event_name: hostile, anything: hostile },
		]) {
			expect((await postHook(server.socketPath, input)).status).toBe(200);
		}
		const held = hook(agentCall({ sessionId: 'hostile', cwd: dir, agent: `evil ${name}` }));
		const chips = page.getByTitle('This character would not be seen').filter({ visible: true });

		await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('<img src=x');
		await expect(chips.first()).toBeVisible();
		await expectHarmless(page);

		await page.goto('/approvals');
		const card = page.getByRole('article');
		await expect(card).toContainText('characters that would not be seen');
		await expect(card.getByText('<script>window.pwned=1</script>').first()).toBeVisible();
		await expectHarmless(page);
		await card.getByRole('button', { name: 'Deny' }).click();
		const { stdout } = await held.ended;
		expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: that none is printed is the point.
		expect(JSON.stringify(JSON.parse(stdout)).replaceAll('\\n', '')).not.toMatch(/\\u001b|[\u0000-\u001f\u202e\u200b]/);

		await page.goto('/sessions/hostile');
		const story = page.getByRole('list', { name: 'Story' }).getByRole('button');
		await expect(story.filter({ hasText: 'Bash' })).toContainText('<img src=x');
		await expect(chips.first()).toBeVisible();
		const detail = page.getByRole('region', { name: 'Detail' });
		const count = await story.count();
		expect(count).toBeGreaterThan(6);
		for (let at = 0; at < count; at += 1) {
			await story.nth(at).click();
			await expect(story.nth(at)).toHaveAttribute('aria-current', 'true');
			await expect(detail.getByRole('heading').first()).toBeVisible();
			await expectHarmless(page);
		}
		await story.filter({ hasText: 'Bash' }).click();
		const whole = detail.getByRole('button', { name: /Show the other [\d,]+ characters/ });
		await whole.first().click();
		await expect(detail).toContainText('A'.repeat(20_000));
		await expectHarmless(page);
		for (const tab of ['Plan', 'Verdicts', 'Raw']) {
			await page.getByRole('tab', { name: tab }).click();
			await expect(page.getByRole('tabpanel').getByText('<img src=x').first()).toBeVisible();
			await expectHarmless(page);
		}
	});
});
