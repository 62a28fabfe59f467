import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENT_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, replyText, type ScriptedRequest } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';

const scriptOf = (file: string) => ({
	main: [call('Bash', { command: `mkdir ${file}`, description: 'Make a folder' }), replyText('Made.')],
});

test('R620 Claude Code 2.1.330: its own permission prompt waits in the browser; approved, the command runs', async ({
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'asking-shop' });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const agent = await shop.agent({ version: CURRENT_CLIENT, script: scriptOf('made-here') });
	const card = page.getByRole('article').filter({ hasText: 'mkdir made-here' });
	await expect(card).toContainText('Bash asks for permission');
	expect(existsSync(join(shop.dir, 'made-here'))).toBe(false);
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Made.' });
	expect(existsSync(join(shop.dir, 'made-here'))).toBe(true);
});

test('R620 Claude Code 2.1.330: denied there, the command does not run and the model reads why', async ({
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'refused-shop' });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const agent = await shop.agent({ version: CURRENT_CLIENT, script: scriptOf('never-made') });
	const card = page.getByRole('article').filter({ hasText: 'mkdir never-made' });
	await card.getByRole('textbox', { name: 'Reason' }).fill('not in this folder');
	await card.getByRole('button', { name: 'Deny' }).click();
	const next = await agent.model.request(({ role, toolResults }) => role === 'main' && toolResults.length > 0);
	expect(next.toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('not in this folder') }]);
	expect(await agent.ended).toMatchObject({ exitCode: 0 });
	expect(existsSync(join(shop.dir, 'never-made'))).toBe(false);
});

test('R620 Claude Code 2.1.330: a question that the terminal asks, too, is answered in the browser', async ({
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'curious-shop' });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const options = [
		{ label: 'Red', description: 'warm' },
		{ label: 'Blue', description: 'cool' },
	];
	const questions = [{ question: 'Which colour?', header: 'Colour', multiSelect: false, options }];
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		hosted: 'silent',
		script: { main: [call('AskUserQuestion', { questions }), replyText('Blue it is.')] },
	});
	const card = page.getByRole('article').filter({ hasText: 'The agent asks: Which colour?' });
	await expect(card.getByRole('button', { name: 'Approve once' })).toHaveCount(0);
	await card.getByRole('radio', { name: 'Blue' }).check();
	await card.getByRole('button', { name: 'Answer' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Blue it is.' });
	const read = agent.model.requests.flatMap(({ toolResults }) => toolResults);
	expect(read).toMatchObject([{ isError: false, text: expect.stringMatching(/Which colour.*Blue/s) }]);
	await expect(card.getByRole('status')).toHaveText(/^Answered by an operator: Blue \(headless Chrome on Linux\)$/);
});

test('Claude Code 2.1.330: a plan that is approved in the browser lets the agent leave plan mode', async ({
	operatorPage,
	project,
}) => {
	const shop = await project({ name: 'planning-shop' });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	/** The client names the plan's file to the model, and reads the plan from there. */
	const planFile = (request: ScriptedRequest) =>
		/\/[^\s"\\]*plans\/[^\s"\\]+\.md/.exec(`${request.userText}\n${request.hookContext}`)?.[0] ?? '';
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		hosted: 'silent',
		args: ['--permission-mode', 'plan'],
		script: {
			main: (request) =>
				[
					call('Write', { file_path: planFile(request), content: '# Build the cart\n\n1. Make a map.' }),
					call('ExitPlanMode', {}),
				][request.turn] ?? replyText('Planned.'),
		},
	});
	const card = page.getByRole('article').filter({ hasText: 'ExitPlanMode asks for permission: # Build the cart' });
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Planned.' });
	const read = agent.model.requests.flatMap(({ toolResults }) => toolResults);
	expect(read.at(-1)).toMatchObject({ isError: false, text: expect.stringContaining('approved your plan') });
});
