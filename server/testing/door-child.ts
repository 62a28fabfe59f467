import { BroadcastChannel } from 'node:worker_threads';
import { startDoorThread } from '../door/start-door-thread.ts';
import { createLog } from '../process/log.ts';

/*
 * The door of a home, alone in a process of its own, for tests that kill it: says `open` to its parent, and again after its
 * thread has died of what the parent sent (see dying-door-thread.ts).
 */
const home = process.argv[2] ?? '';
const none = async () => null;
const over = async () => ({ kind: 'unknown' }) as const;
const door = startDoorThread({ home, log: createLog(() => undefined) });
door.connect({
	tickets: { hold: none, openReview: none, closeReview: over, wait: over },
	report: () => 0,
	appended: () => undefined,
	died: () => process.send?.('open'),
});
const channel = new BroadcastChannel('end-thread');
process.on('message', (ending) => channel.postMessage(ending));
await door.listen();
process.send?.('open');
