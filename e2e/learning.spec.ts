import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeStory } from '#server/testing/story.ts';
import { CONNECTION_LOST, expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { signalbox } from './rig/signalbox-command.ts';

const call = (toolUseId: string, command: string) => [
	{ type: 'tool:call', toolUseId, tool: 'Bash', input: { command }, after: 1 },
	{ type: 'tool:result', toolUseId, tool: 'Bash', response: 'ok', after: 1 },
];

test('history is asked about a stricter list, and the list is written into the home’s config', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'shop', server });
	writeStory(server.home, 'clean-up', Date.now() - 3_600_000, [
		{ type: 'session:start', cwd: dir, project: 'shop' },
		...call('one', 'rm -rf build'),
		...call('two', 'npm test'),
		{ type: 'session:end', reason: 'exit' },
	]);
	const page = await operatorPage('/rules', { server });
	await page.getByRole('link', { name: 'Try other settings on history' }).click();
	await page.getByRole('textbox', { name: /Commands that must not run/ }).fill('rm');
	await page.getByRole('button', { name: 'Run on history' }).click();
	const found = page.getByRole('region', { name: 'What would change' });
	await expect(page.getByText('Adds rm to the list.')).toBeVisible();
	await expect(found).toContainText('1 more call would have been denied.');
	const denied = found.getByRole('region', { name: 'Newly denied' });
	await expect(denied.getByRole('heading', { name: 'rm 1', exact: true })).toBeVisible();
	await expect(denied.getByRole('listitem')).toHaveText([/^rm -rf build/]);
	await expect(found.getByTitle('command.excluded')).toHaveCount(1);
	expect(await axeFindings(page)).toEqual([]);

	await page.getByRole('button', { name: 'Save these settings…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Save these settings' });
	await expect(dialog).toContainText('"rm"');
	await dialog.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(dialog.getByText('Saved.')).toBeVisible();
	expect(JSON.parse(readFileSync(join(server.home, 'config.json'), 'utf8'))).toMatchObject({
		commands: { exclude: ['rm'] },
	});
	await dialog.getByRole('button', { name: 'Close' }).click();
	await found.getByRole('link', { name: 'rm -rf build' }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('rm -rf build');

	await page.keyboard.press('m');
	await page.getByLabel('Note', { exact: true }).fill('Ask first next time');
	await page.getByLabel('Labels').fill('review');
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Ask first next time');
	const story = page.getByRole('list', { name: 'Story' });
	await expect(story.getByRole('button').filter({ hasText: 'rm -rf build' })).toContainText('#review');
	await story
		.getByRole('button')
		.filter({ hasText: 'npm test' })
		.click({ modifiers: ['Shift'] });
	const stretch = page.getByRole('dialog', { name: /^Notes on / });
	await stretch.getByLabel('Note', { exact: true }).fill('Both at once');
	await stretch.getByLabel('Labels').fill('pair');
	await stretch.getByRole('button', { name: 'Add', exact: true }).click();
	await expect(stretch).toHaveCount(0);
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by label' }).selectOption('pair');
	await expect(story.getByRole('listitem')).toHaveCount(2);
	await page.getByRole('tab', { name: 'Lanes' }).click();
	await expect(page.getByRole('list', { name: 'Notes' }).getByRole('button')).toHaveCount(2);
	await page
		.getByRole('list', { name: 'Notes' })
		.getByRole('button', { name: /Both at once/ })
		.click();
	await expect(stretch).toContainText('Both at once');
	expect(await axeFindings(page)).toEqual([]);

	// The list in force is edited, not replaced; its change is what history is asked about.
	await page.goto('/rejudge');
	const list = page.getByRole('textbox', { name: /Commands that must not run/ });
	await expect(list).toHaveValue('rm');
	await page.getByRole('button', { name: 'Try git' }).click();
	await expect(list).toHaveValue('rm git');
	await expect(found).toContainText('Nothing would have been different.');
	await page.goto('/rejudge?exclude=npm');
	await expect(page.getByText('Removes rm from the list.')).toBeVisible();
	await expect(found).toContainText('1 more call would have been denied.');
});

test('an exported archive opens from disk while there is no server', async ({
	ownServer,
	operatorPage,
	project,
	expectConsole,
}) => {
	const server = await ownServer();
	const { dir, write } = await project({ name: 'shop', server });
	write('specs/features/in-progress/cart/tasks.md', '---\nfeature: cart\n---\n- [x] PLAN\n');
	writeStory(server.home, 'cart-session', Date.now() - 3_600_000, [
		{ type: 'session:start', cwd: dir, project: 'shop' },
		{ type: 'specs:init', featureName: 'cart' },
		...call('one', 'npm test'),
		{ type: 'session:end', reason: 'exit' },
	]);
	await signalbox(server.home, ['feature', 'archive', 'cart', '--project', dir]);
	const file = join(dir, 'cart.signalbox.gz');
	const [archive = ''] = readdirSync(join(server.home, 'archive'));
	await signalbox(server.home, ['archive', 'export', archive, '--output', file]);
	const page = await operatorPage('/features', { server });
	await expect(page.getByText('Open an exported archive')).toBeVisible();
	await page.waitForFunction(() => performance.getEntriesByName('preloaded').length > 1);
	expectConsole(CONNECTION_LOST);
	await page.context().setOffline(true);
	await page.getByLabel(/Open an exported archive/).setInputFiles(file);
	await expect(page.getByText('from a file; read only')).toBeVisible();
	await expect(page.getByRole('region', { name: 'cart-session' })).toContainText('npm test');
	await expect(page.getByText('It is wrong at')).toHaveCount(0);

	// It plays, too, and every reading of it is there.
	const story = page.getByRole('list', { name: 'Story' });
	await page.getByRole('button', { name: 'Event ›' }).click();
	await expect(page.getByText('2 of 6 events')).toBeVisible();
	await expect(story).not.toContainText('npm test');
	await page.getByRole('button', { name: 'Event ›' }).click();
	await expect(page.getByText('3 of 6 events')).toBeVisible();
	await page.getByRole('tab', { name: 'Lanes' }).click();
	await expect(page.getByRole('region', { name: 'Lanes over time' }).getByTestId('still-to-come')).toHaveCount(1);
	await page.getByRole('tab', { name: 'Story' }).click();
	await page.getByRole('combobox', { name: 'Speed' }).selectOption('64×');
	await page.getByRole('button', { name: 'Play' }).click();
	await expect(story).toContainText('Session ended');
	await page.getByRole('button', { name: 'Close', exact: true }).first().click();
	await expect(page.getByText('Open an exported archive')).toBeVisible();
	await expect.poll(() => new URL(page.url()).search).toBe('');
});
