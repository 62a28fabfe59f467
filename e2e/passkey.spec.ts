import { expect, test } from './fixtures.ts';
import { agentCall, planFor } from './rig/routing.ts';
import { addAuthenticator } from './rig/virtual-authenticator.ts';

test('R701 a passkey is enrolled with the terminal’s code; then it decides, and a token no longer does', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	token,
	api,
	expectConsole,
}) => {
	expectConsole(/status of 403/);
	const server = await ownServer({}, { terminal: true });
	const page = await operatorPage('/', { server, viewport: { width: 390, height: 844 } });
	await addAuthenticator(page);
	await page.getByRole('button', { name: /signed in by a link/ }).click();
	await page.getByRole('link', { name: 'Passkeys, sign-ins and tokens' }).click();
	await page.getByRole('button', { name: 'Add a passkey' }).click();
	await page.getByLabel('Its name').fill('phone');
	await page.getByLabel('The code on the server’s terminal').fill('AAAA-AAAA');
	await page.getByRole('button', { name: 'Make the passkey' }).click();
	await expect(page.getByRole('alert').filter({ hasText: 'not the code' })).toBeVisible();
	await page.getByRole('button', { name: 'Add a passkey' }).click();
	await expect.poll(() => server.output().match(/passkey: \S+/g)?.length).toBe(2);
	const code = /passkey: (?<code>\S+) (?!.*passkey: )/s.exec(server.output())?.groups?.code ?? '';
	await page.getByLabel('The code on the server’s terminal').fill(code);
	await page.getByRole('button', { name: 'Make the passkey' }).click();
	await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toContainText('phone');
	// R1022
	await expect(page.getByRole('button', { name: /signed in by a passkey/ })).toBeVisible();

	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const waiting = hook(agentCall({ sessionId: 'proven', cwd: dir, agent: 'architect' }), { server });
	await page.getByRole('link', { name: 'Approvals' }).click();
	const card = page.getByRole('article').filter({ hasText: 'architect' });

	const operator = await token('operator', server);
	const { approvals } = await (await api('/api/approvals?state=waiting', operator, { server })).json();
	const refused = await api(`/api/approvals/${approvals[0].id}`, operator, { server, data: { decision: 'approve' } });
	expect(refused.status()).toBe(403);
	expect((await refused.json()).error.code).toBe('passkey/browser');
	expect(waiting.isWaiting()).toBe(true);

	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
});
