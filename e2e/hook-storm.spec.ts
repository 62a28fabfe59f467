import { expect, test } from '@playwright/test';
import { runHookStorm } from './rig/hook-storm.ts';
import { lossesOf } from './rig/storm-losses.ts';

test('R394 16 hooks at a time, by both ways, while the server is killed and started: no event and no state is lost', async () => {
	test.setTimeout(120_000);
	const storm = await runHookStorm({ seconds: 4, seed: 3 });
	try {
		const { counts, losses } = await lossesOf(storm);
		expect(losses).toEqual([]);
		expect(counts.hooks).toBeGreaterThan(16);
		expect(counts['server killed and started']).toBeGreaterThan(0);
	} finally {
		await storm.dispose();
	}
});
