import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { BroadcastChannel } from 'node:worker_threads';

/*
 * The door's thread for tests that kill it: ends itself when `end-thread` says so, `now`, or in the middle of a hook: `before a
 * write` of its lines, or `after a write`, before it is answered.
 */
let awaited: unknown;
const channel = new BroadcastChannel('end-thread');
channel.onmessage = (message) => {
	awaited = (message as unknown as { data: unknown }).data;
	if (awaited === 'now') process.exit();
};
const write = fs.writeSync as (...args: unknown[]) => number;
fs.writeSync = ((...args: unknown[]) => {
	if (awaited === 'before a write') process.exit();
	const written = write(...args);
	if (awaited === 'after a write') process.exit();
	return written;
}) as typeof fs.writeSync;
syncBuiltinESMExports();
await import('../door/door-thread.ts');
