/*
 * Preloaded into the server and each of its threads: notes when each marked line was on its timeline and writes that to
 * APPEND_CLOCK_FILE with the thread's number behind it, when the thread ends. A line is marked by `bench-mark-NUMBER-` in it. `mono` is CLOCK_MONOTONIC in ms, the same in every
 * process of the machine; `wall` is ms since the epoch.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const MARK = 'bench-mark-';
const { writeSync } = fs;
const appended = [];

fs.writeSync = (fd, data, ...rest) => {
	const count = writeSync(fd, data, ...rest);
	const mono = Number(process.hrtime.bigint()) / 1e6;
	const wall = performance.timeOrigin + performance.now();
	const at = data.indexOf(MARK);
	if (at !== -1) appended.push([Number.parseInt(data.toString('utf8', at + MARK.length, at + 24), 10), mono, wall]);
	return count;
};
const { Worker, threadId } = threads;
threads.Worker = class extends Worker {
	constructor(program, options) {
		super(program, { ...options, execArgv: ['--import', import.meta.url] });
	}
};
syncBuiltinESMExports();
process.on('exit', () => fs.writeFileSync(`${process.env.APPEND_CLOCK_FILE}.${threadId}`, JSON.stringify(appended)));
