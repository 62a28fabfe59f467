import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { CURRENT_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, replyText, type Script, type ScriptedReply } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';

/** Something that a test decides the moment of. */
function gate(): { opened: Promise<void>; open(): void } {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}

const verdict = (allow_stop: boolean, feedback: string) =>
	replyText(`I looked at it.\n\`\`\`json\n${JSON.stringify({ allow_stop, feedback })}\n\`\`\``);

const COLOUR = {
	questions: [
		{
			question: 'Which colour should the cart have?',
			header: 'Colour',
			multiSelect: false,
			options: [
				{ label: 'Red', description: 'Like the logo' },
				{ label: 'Blue', description: 'Like the sky' },
			],
		},
	],
};

/** The agent's turns and the reviewer's answers; the reviewer is known by the form of answer that it is asked for. */
function script(agent: readonly ScriptedReply[], reviewer: (nth: number) => ScriptedReply): Script {
	let reviews = 0;
	return {
		main(request) {
			if (request.userText.includes('"allow_stop"')) {
				reviews += 1;
				return reviewer(reviews);
			}
			return agent[request.turn] ?? replyText('Done.');
		},
	};
}

/** Opens the session's verdicts and switches its supervisor on, as a person does. */
async function superviseFrom(page: Page, project: string): Promise<Locator> {
	await page.getByRole('link', { name: new RegExp(`Running.*${project}`) }).click();
	await page.getByRole('tab', { name: 'Verdicts' }).click();
	await page.getByRole('button', { name: 'Turn on' }).click();
	await expect(page.getByText('0 of 20 reviews used')).toBeVisible();
	return page.getByRole('list', { name: 'Reviews' }).getByRole('listitem');
}

const stateOf = (home: string) => {
	const folder = join(home, '.claude/ccc');
	const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.json'));
	return JSON.parse(readFileSync(join(folder, name), 'utf8'));
};

test('R421 R429 Claude Code: the reviewer sends the agent on, then lets it stop; both are on the page with their feedback', async ({
	operatorPage,
	project,
}) => {
	const page = await operatorPage('/');
	const shop = await project({ name: 'reviewed-shop', registered: 'supervisor' });
	const begin = gate();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: script(
			[{ blocks: [{ text: 'The cart is built.' }], after: begin.opened }, replyText('Now it is tested.')],
			(nth) => (nth === 1 ? verdict(false, 'Run the tests first.') : verdict(true, 'Built and tested.')),
		),
	});
	const reviews = await superviseFrom(page, 'reviewed-shop');
	begin.open();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Now it is tested.' });
	const sentOn = agent.model.requests.find(({ userText }) => userText.includes('Stop hook feedback'));
	expect(sentOn?.userText).toContain('Run the tests first.');
	await expect(reviews).toHaveCount(2);
	await expect(reviews.nth(1)).toContainText(/allowed.*stop.*review 2.*Built and tested\./s);
	await expect(reviews.nth(0)).toContainText(/sent back.*stop.*review 1.*Run the tests first\./s);
	await expect(page.getByText('2 of 20 reviews used')).toBeVisible();
	await expect(reviews.getByRole('link', { name: 'What it did' })).toHaveCount(2);
	expect(stateOf(shop.home)).toMatchObject({ enabled: true, count: 2 });
	await page.getByRole('button', { name: 'Reset count' }).click();
	await expect(page.getByText('0 of 20 reviews used')).toBeVisible();
	await page.goto('/');
	await expect(page.getByRole('link', { name: /reviewed-shop/ })).toHaveCount(1);
});

test('R421 Claude Code: a question is denied by the reviewer, the agent reads why, and its row shows it', async ({
	operatorPage,
	project,
}) => {
	const page = await operatorPage('/');
	const shop = await project({ name: 'asking-shop', registered: 'supervisor' });
	const begin = gate();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		hosted: 'refusing',
		script: script([{ ...call('AskUserQuestion', COLOUR), after: begin.opened }, replyText('I take red.')], (nth) =>
			nth === 1 ? verdict(false, 'The style guide says red.') : verdict(true, 'Fine.'),
		),
	});
	const reviews = await superviseFrom(page, 'asking-shop');
	begin.open();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'I take red.' });
	const read = agent.model.requests.flatMap(({ toolResults }) => toolResults);
	expect(read).toMatchObject([{ isError: true, text: expect.stringContaining('The style guide says red.') }]);
	const question = agent.model.requests.find(({ userText }) => userText.includes('<question>'));
	expect(question?.userText).toContain('Which colour should the cart have?');
	await expect(reviews.nth(0)).toContainText(/sent back.*question.*The style guide says red\./s);
	await page.getByRole('tab', { name: 'Story' }).click();
	const row = page.getByRole('list', { name: 'Story' }).getByRole('button').filter({ hasText: 'AskUserQuestion' });
	await expect(row).toContainText('denied');
	await expect(row).toContainText('The style guide says red.');
});

test('R432 Claude Code: a question is answered from the browser while the reviewer thinks; the reviewer ends', async ({
	operatorPage,
	project,
}) => {
	const page = await operatorPage('/');
	const shop = await project({ name: 'answered-shop', registered: 'supervisor' });
	const begin = gate();
	const thinking = gate();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		hosted: 'refusing',
		script: script([{ ...call('AskUserQuestion', COLOUR), after: begin.opened }, replyText('Blue it is.')], (nth) =>
			nth === 1 ? { ...verdict(false, 'Never said.'), after: thinking.opened } : verdict(true, 'Fine.'),
		),
	});
	const reviews = await superviseFrom(page, 'answered-shop');
	begin.open();
	await expect(reviews.first()).toContainText(/reviewing.*question.*review 1/s);
	await agent.model.request(({ userText }) => userText.includes('<question>'));
	const card = page.getByRole('article');
	await expect(card).toContainText('Supervisor reviews the question “Which colour should the cart have?”');
	await expect(card.getByRole('button', { name: 'Answer' })).toBeDisabled();
	await card.getByRole('radio', { name: 'Blue' }).check();
	await card.getByRole('button', { name: 'Answer' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Blue it is.' });
	const read = agent.model.requests.flatMap(({ toolResults }) => toolResults);
	expect(read).toMatchObject([{ isError: false, text: expect.stringMatching(/Which colour.*Blue/s) }]);
	expect(agent.messages.filter(({ type }) => type === 'control_request')).toEqual([]);
	await expect(reviews.first()).toContainText(/allowed by a person.*question/s);
	await expect(card.filter({ hasText: 'the question' }).getByRole('status')).toHaveText(
		/^Answered by an operator: Blue \(headless Chrome on Linux\)$/,
	);
	thinking.open();
});

test('R429 R432 Claude Code: a failed review blocks with a reason; a person lets the next stop pass', async ({
	operatorPage,
	project,
}) => {
	const page = await operatorPage('/');
	const shop = await project({ name: 'failing-shop', registered: 'supervisor' });
	const begin = gate();
	const never = gate();
	const agent = await shop.agent({
		version: CURRENT_CLIENT,
		script: script([{ blocks: [{ text: 'Built.' }], after: begin.opened }, replyText('Looked again.')], (nth) =>
			nth === 1 ? replyText('I have no opinion.') : { ...verdict(false, 'Never said.'), after: never.opened },
		),
	});
	const reviews = await superviseFrom(page, 'failing-shop');
	begin.open();
	await expect(reviews.first()).toContainText(/review failed, sent back.*Why: the reviewer gave no verdict.*审查失败/s);
	await expect(reviews.last()).toContainText(/reviewing.*stop.*review 2/s);
	await reviews.last().getByRole('button', { name: 'Decide' }).click();
	const card = page.getByRole('article').filter({ hasText: 'Supervisor reviews the stop of the agent' });
	await expect(card).toBeVisible();
	await card.getByRole('textbox', { name: 'Reason' }).fill('good enough');
	await card.getByRole('button', { name: 'Allow' }).click();
	expect(await agent.ended).toMatchObject({ exitCode: 0, result: 'Looked again.' });
	await expect(reviews.last()).toContainText(/allowed by a person.*good enough/s);
	never.open();
});
