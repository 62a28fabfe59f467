import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

const policy = JSON.stringify({
	gates: { routing: { onMismatch: 'deny' } },
	commands: { exclude: ['rm'] },
});

test('a blocked command shows what in the line is blocked; approved, both hook entries print allow', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'guarded' });
	writeFileSync(join(dir, '.overtone/config.json'), policy);
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const input = {
		session_id: 'guarded',
		cwd: dir,
		hook_event_name: 'PreToolUse',
		tool_name: 'Bash',
		tool_use_id: 'toolu_guarded',
		tool_input: { command: 'ls; sudo rm -rf x', description: 'Clean up' },
	};
	const open = hook(input);
	const closed = hook(input, { profile: 'closed' });
	const card = page.getByRole('article').filter({ hasText: 'guarded' });
	await expect(card).toHaveCount(1);
	await expect(card.getByRole('heading')).toHaveText('main wants to run ls; sudo rm -rf x');
	await expect(card).toContainText('rm is not allowed here');
	await expect(card.locator('mark')).toHaveText('sudo rm -rf x');
	await expect(card).toContainText('Excluded by rm');
	await card.getByRole('button', { name: 'Approve once' }).click();
	const [one, other] = await Promise.all([open.ended, closed.ended]);
	expect(JSON.parse(one.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
	expect(other.stdout).toBe(one.stdout);

	const free = await hook({ ...input, tool_use_id: 'toolu_free', tool_input: { command: 'ls | grep rm' } }).ended;
	expect(free).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});
