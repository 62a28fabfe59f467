import { writeSync } from 'node:fs';
import type { HookEnd } from './ports.ts';
import { runHook } from './run-hook.ts';

const FAILED: HookEnd = { stdout: '', stderr: '', exitCode: 0 };

/** Ends at once: a timer or a half-read stdin must not keep the agent waiting. */
function end({ stdout, stderr, exitCode }: HookEnd): void {
	try {
		if (stdout !== '') writeSync(1, `${stdout}\n`);
		if (stderr !== '') writeSync(2, `${stderr}\n`);
	} catch {
		// The client is gone: nobody is left to be told.
	}
	process.exit(exitCode);
}

process.on('uncaughtException', () => end(FAILED));
runHook(process.argv.slice(2)).then(end, () => end(FAILED));
