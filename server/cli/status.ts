import { existsSync } from 'node:fs';
import { type Command, EXIT, typed } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';
import { packageVersion } from '../process/package-root.ts';
import { howToStop, readHolder, versionGap } from '../process/server-holder.ts';
import { hookFileStates } from '../setup/install-hook.ts';
import { possibleProjects, registeredProjects } from '../setup/registered-projects.ts';

/** Below the first word of a line. */
const INDENT = ' '.repeat(9);

/** Compares the installed hooks with this version, in words. */
function hookWords(home: string): string {
	const states = Object.values(hookFileStates(home));
	if (states.every((state) => state === 'missing')) return 'not installed; run `signalbox init`';
	return states.every((state) => state === 'same') ? 'of this version' : 'of another version; run `signalbox init`';
}

/** Where the server of a home runs, and whether it is of this version, in words. */
function serverWords(home: string, url: string | undefined): string {
	if (url === undefined) return 'not running; run `signalbox start`';
	const holder = readHolder(home);
	const gap = holder && versionGap(holder.version);
	const words = `${url} (process ${holder?.pid ?? 'unknown'})`;
	return gap ? `${words}\n${INDENT}It ${gap}. ${howToStop(holder?.pid)}` : words;
}

export const status: Command = {
	usage: 'status',
	about: 'Prints the version, whether the server runs and where, and the registered projects. Changes nothing.',
	options: {},
	examples: ['signalbox status'],
	exits: { 0: 'the server runs', 1: 'the server does not run' },
	async run(_values, _words, terminal) {
		const home = homeOf(terminal);
		const url = await findServer(home);
		const projects = existsSync(home) ? registeredProjects(home, terminal, possibleProjects(home)) : [];
		const lines = [
			['Version', packageVersion()],
			['Home', home],
			['Server', serverWords(home, url)],
			['Hooks', hookWords(home)],
			['Projects', projects.length === 0 ? 'none' : projects.join(`\n${INDENT}`)],
		] as const;
		for (const [name, words] of lines) terminal.print(typed(`${name.padEnd(INDENT.length)}${words}`, terminal));
		return url === undefined ? EXIT.failed : EXIT.done;
	},
};
