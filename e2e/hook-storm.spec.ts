import { expect, test } from '@playwright/test';
import { runHookStorm } from './rig/hook-storm.ts';
import { lossesOf } from './rig/storm-losses.ts';

for (const kills of [false, true]) {
	const how = kills ? 'while the server is killed and started' : 'with a server that lives';
	test(`R394 16 hooks at a time, by both ways, ${how}: no event and no state is lost`, async () => {
		test.setTimeout(120_000);
		const storm = await runHookStorm({ seconds: 3, seed: 3, kills });
		try {
			const { counts, losses } = await lossesOf(storm);
			expect(losses).toEqual([]);
			expect(counts.hooks).toBeGreaterThan(16);
			expect(storm.kills > 0).toBe(kills);
		} finally {
			await storm.dispose();
		}
	});
}
