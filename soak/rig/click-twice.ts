import { postHook } from '#e2e/rig/door.ts';
import { call } from './evader.ts';
import { inBrowser } from './in-browser.ts';
import type { SoakFixture } from './soak-fixture.ts';

/** How long somebody takes who clicks twice, in milliseconds. */
const BETWEEN = 300;

/** A person's browser, in which two clicks land on one spot: whether both approve a call. */
export async function clickTwice(fixture: SoakFixture): Promise<'runs' | 'stopped'> {
	const { server, send, viewer } = fixture;
	const countOf = async (state: string): Promise<number> => {
		const { json } = await send(`/api/approvals?state=${state}`, {}, viewer, 'GET');
		return ((json.approvals ?? []) as unknown[]).length;
	};
	const hooks = ['rm a', 'rm b', 'rm c'].map((command) =>
		postHook(server.socketPath, call(fixture, 'Bash', { command })).catch(() => null),
	);
	while ((await countOf('waiting')) < hooks.length + 1);
	return inBrowser(fixture, async (page) => {
		const rows = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
		const approve = rows.getByRole('button', { name: 'Approve', exact: true, disabled: false }).first();
		await approve.waitFor();
		const box = await approve.boundingBox();
		if (!box) throw new Error('the button is not on the screen');
		const spot = [box.x + box.width / 2, box.y + box.height / 2] as const;
		await page.mouse.click(...spot);
		await new Promise((resolve) => setTimeout(resolve, BETWEEN));
		await page.mouse.click(...spot);
		// Each click that counts is on its way; what the second did shows when the rows are counted again.
		await page.waitForTimeout(1500);
		const approved = await countOf('approved');
		if (approved === 0) throw new Error('the control: the first click approved nothing');
		return approved > 1 ? 'runs' : 'stopped';
	});
}
