import { writeSync } from 'node:fs';
import { printable } from '#lib/text/printable.ts';
import { profileOutput } from './claude-code/outputs.ts';
import type { HookEnd } from './ports.ts';
import { runHook } from './run-hook.ts';

/** Whatever has failed: only where a failure must block it says so. Small, since the failure may be of anything else. */
function failed(error: unknown): HookEnd {
	const stdout = process.argv.includes('closed')
		? JSON.stringify(profileOutput('closed', 'this hook failed; it denies what nobody could judge.'))
		: '';
	return { stdout, stderr: `[overtone/hook] this hook failed: ${printable(String(error), 300)}`, exitCode: 0 };
}

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

process.on('uncaughtException', (error) => end(failed(error)));
runHook(process.argv.slice(2)).then(end, (error) => end(failed(error)));
