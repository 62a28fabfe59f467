import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the stand-in for the reviewer behaves. */
export interface ReviewerPart {
	/** Its last words; printed in the client's JSON form. */
	says?: string;
	/** Printed unchanged instead. */
	prints?: string;
	/** Ends with this code. */
	exits?: number;
	/** Ends itself by this signal. */
	signal?: string;
	/** Never ends, and has a child that never ends either. */
	hangs?: true;
}

/** A command in place of `claude`, which records how it was started. */
export interface FakeReviewer {
	command: string;
	plays(part: ReviewerPart): void;
	/** Each start so far: its arguments, its stdin and its guard. */
	starts(): { args: string[]; prompt: string; guard?: string; id?: string; code?: string; pids: number[] }[];
}

const PROGRAM = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const part = JSON.parse(readFileSync(__dirname + '/part.json', 'utf8'));
const prompt = readFileSync(0, 'utf8');
const { CCC_SUPERVISOR_HOOK: guard, CCC_SUPERVISOR_ID: id, CLAUDECODE: code } = process.env;
const pids = [process.pid];
if (part.hangs) pids.push(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']).pid);
appendFileSync(__dirname + '/starts.jsonl', JSON.stringify({ args: process.argv.slice(2), prompt, guard, id, code, pids }) + '\\n');
if (part.hangs) setInterval(() => {}, 1e6);
else {
	if (part.prints !== undefined) process.stdout.write(part.prints);
	else if (part.says !== undefined) process.stdout.write(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: part.says }));
	if (part.signal) process.kill(process.pid, part.signal);
	process.exitCode = part.exits ?? 0;
}
`;

/** Writes the stand-in into a folder of its own. */
export function fakeReviewer(folder: string): FakeReviewer {
	const command = join(folder, 'claude-stand-in');
	writeFileSync(command, PROGRAM);
	chmodSync(command, 0o755);
	const started = join(folder, 'starts.jsonl');
	return {
		command,
		plays: (part) => writeFileSync(join(folder, 'part.json'), JSON.stringify(part)),
		starts: () => {
			const lines = existsSync(started) ? readFileSync(started, 'utf8').split('\n') : [];
			return lines.filter(Boolean).map((line) => JSON.parse(line));
		},
	};
}
