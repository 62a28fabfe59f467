import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHookPause } from './start-door-thread.ts';

test('while hooks arrive, other work pauses between its pieces', async () => {
	let at = 0;
	const pause = createHookPause(() => at);
	const first = () => Promise.race([pause.next().then(() => 'work'), turn('hooks')]);
	expect(await first()).toBe('work');
	pause.saw();
	at = 200;
	expect(await first()).toBe('hooks');
	at = 300;
	expect(await first()).toBe('work');
});
