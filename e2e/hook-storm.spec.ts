import { expect, test } from '@playwright/test';
import { runHookStorm } from './rig/hook-storm.ts';
import { lossesOf } from './rig/storm-losses.ts';

// For 30 s each: `npm run soak hooks`.
const storms = [
	{ seconds: 10, kills: false, how: 'for 10 s with a server that lives' },
	{ seconds: 5, kills: true, how: 'while the server is killed and started' },
];

for (const { seconds, kills, how } of storms) {
	test(`R394 16 hooks at a time, by both ways, ${how}: no event and no state is lost`, async () => {
		test.setTimeout(180_000);
		const storm = await runHookStorm({ seconds, seed: 3, kills });
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
