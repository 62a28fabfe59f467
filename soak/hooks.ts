/*
 * `npm run soak hooks`: 16 hooks at a time against one home, first with a server that lives, then with one that is
 * killed and started again and again; each for `--seconds` (30).
 */
import { parseArgs } from 'node:util';
import { runHookStorm } from '#e2e/rig/hook-storm.ts';
import { lossesOf } from '#e2e/rig/storm-losses.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 30);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

for (const kills of [false, true]) {
	console.log(`hooks: seed ${seed}, ${seconds} s, ${kills ? 'the server is killed' : 'the server lives'}`);
	const storm = await runHookStorm({ seconds, seed, kills });
	try {
		const { counts, losses } = await lossesOf(storm);
		for (const [what, count] of Object.entries(counts)) console.log(`  ${what.padEnd(46)} ${count}`);
		for (const loss of losses) console.error(`  LOST: ${loss}`);
		if (losses.length > 0) process.exitCode = 1;
	} finally {
		await storm.dispose();
	}
}
