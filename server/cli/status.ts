import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, EXIT, typed } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';
import { packageVersion } from '../process/package-root.ts';
import { hookFileStates } from '../setup/install-hook.ts';
import { possibleProjects, registeredProjects } from '../setup/registered-projects.ts';

/** How the hooks of a home stand to this version, in words. */
function hookWords(home: string): string {
	const states = Object.values(hookFileStates(home));
	if (states.every((state) => state === 'missing')) return 'not installed; `signalbox init` does it';
	return states.every((state) => state === 'same')
		? 'of this version'
		: 'of another version; `signalbox init` renews them';
}

/** Process that holds the home's lock; undefined where nobody noted it. */
function serverProcess(home: string): number | undefined {
	const path = join(home, 'server.lock.json');
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).pid : undefined;
}

/** `signalbox status` */
export const status: Command = {
	usage: 'status',
	about:
		'Says which version this is, whether the server runs and where, and which projects are registered. Changes nothing.',
	options: {},
	examples: ['signalbox status'],
	exits: { 0: 'the server runs', 1: 'it does not run', 2: 'the command line does not fit' },
	async run(_values, _words, terminal) {
		const home = homeOf(terminal);
		const url = await findServer(home);
		const server =
			url === undefined ? 'not running; `signalbox start` runs it' : `${url} (process ${serverProcess(home)})`;
		const projects = existsSync(home) ? registeredProjects(home, terminal, possibleProjects(home)) : [];
		const lines = [
			['Version', packageVersion()],
			['Home', home],
			['Server', server],
			['Hooks', hookWords(home)],
			['Projects', projects.length === 0 ? 'none' : projects.join(`\n${' '.repeat(9)}`)],
		] as const;
		for (const [name, words] of lines) terminal.print(typed(`${name.padEnd(9)}${words}`, terminal));
		return url === undefined ? EXIT.failed : EXIT.done;
	},
};
