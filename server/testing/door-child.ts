import type { Worker } from 'node:worker_threads';
import { startDoorThread } from '../door/start-door-thread.ts';
import { createLog } from '../process/log.ts';

/*
 * The door of a home, alone in a process of its own, for tests that kill it: says `open` to its parent, and again after
 * `end-thread` has ended its thread in the middle of whatever it did.
 */
const home = process.argv[2] ?? '';
let thread: Worker | undefined;
process.on('worker', (started) => {
	thread = started;
});
const none = async () => null;
const over = async () => ({ kind: 'unknown' }) as const;
const door = startDoorThread({ home, log: createLog(() => undefined) });
door.connect({
	tickets: { take: none, openReview: none, closeReview: over, wait: over },
	report: () => undefined,
	died: () => process.send?.('open'),
});
process.on('message', (message) => {
	if (message === 'end-thread') void thread?.terminate();
});
await door.listen();
process.send?.('open');
