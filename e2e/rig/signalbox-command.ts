import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareEnvironment } from './bare-environment.ts';
import { SIGNALBOX } from './repository.ts';

/** Runs the built `signalbox` command to its end and gives what it printed. Throws with its stderr when it fails. */
export async function signalbox(
	home: string,
	args: readonly string[],
	cwd = home,
	env: Readonly<Record<string, string>> = {},
): Promise<string> {
	const { stdout } = await promisify(execFile)(process.execPath, [SIGNALBOX, ...args], {
		cwd,
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, ...env }),
	});
	return stdout.trim();
}
