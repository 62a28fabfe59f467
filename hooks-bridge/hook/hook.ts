import { writeSync } from 'node:fs';
import { printable } from '#lib/text/printable.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookEnd } from '../ports/hook-answer.ts';
import { clientAndProfile, runHook } from './run-hook.ts';

/** The profile's answer to any failure. Small, since anything else may have failed. */
function failed(error: unknown): HookEnd {
	const { agent, profile } = clientAndProfile(process.argv.slice(2));
	const say = profile === 'closed' ? 'it denies what nobody could judge' : 'this call was not judged';
	const output = adapterOf(agent).printUnjudged(profile, `this hook failed; ${say}.`);
	return {
		stdout: output ? JSON.stringify(output) : '',
		stderr: `[overtone/hook] this hook failed: ${printable(String(error), 300)}`,
		exitCode: 0,
	};
}

/** Ends at once: a timer or a half-read stdin must not keep the agent waiting. */
function end({ stdout, stderr, exitCode }: HookEnd): void {
	try {
		if (stdout !== '') writeSync(1, `${stdout}\n`);
		if (stderr !== '') writeSync(2, `${stderr}\n`);
	} catch {
		// The client is gone.
	}
	process.exit(exitCode);
}

process.on('uncaughtException', (error) => end(failed(error)));
runHook(process.argv.slice(2)).then(end, (error) => end(failed(error)));
