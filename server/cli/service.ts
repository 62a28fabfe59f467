import { existsSync, readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { type Command, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { findServer, homeOf, writableHomeOf } from '../process/home.ts';
import { shellWord } from '../process/program-name.ts';
import { howToStop, readHolder } from '../process/server-holder.ts';
import { builtFile } from '../setup/distribution.ts';
import { applyChanges } from '../setup/file-change.ts';
import { isSameUnit, launchdAgent, type ServiceFacts, systemdUnit } from '../setup/service-unit.ts';

/** The file that a system's supervisor reads, and the lines by which a person starts and stops what it says. */
interface Service {
	path: string;
	content: string;
	start: string;
	stop: string;
	/** The link by which `start` has it run at each sign-in, where the supervisor makes one. */
	enabled?: string;
}

function serviceOf({ env }: Terminal, facts: ServiceFacts, system: string): Service {
	const own = env.HOME || homedir();
	if (system === 'darwin') {
		const path = join(own, 'Library/LaunchAgents/signalbox.plist');
		return {
			...{ path, content: launchdAgent(facts) },
			start: `launchctl bootstrap gui/$(id -u) ${shellWord(path)}`,
			stop: 'launchctl bootout gui/$(id -u)/signalbox',
		};
	}
	const folder = join(env.XDG_CONFIG_HOME || join(own, '.config'), 'systemd/user');
	return {
		path: join(folder, 'signalbox.service'),
		content: systemdUnit(facts),
		start: 'systemctl --user daemon-reload && systemctl --user enable --now signalbox',
		stop: 'systemctl --user stop signalbox; systemctl --user daemon-reload',
		enabled: join(folder, 'default.target.wants/signalbox.service'),
	};
}

/** npx removes what it keeps; a service would point to nothing then. */
function lastingProgram(): string {
	const program = builtFile('signalbox.js');
	if (!program.includes('/_npx/')) return program;
	throw new Error(
		`npx keeps this program only for a while (${program}). Install it with \`npm install --global\`, then try again.`,
	);
}

/** The file as this program writes it for this home. */
function ownService(terminal: Terminal, home: string, program: string): Service {
	const searchPath = terminal.env.PATH || '/usr/local/bin:/usr/bin:/bin';
	return serviceOf(terminal, { node: process.execPath, program, home, searchPath }, platform());
}

/** The installed service file. Throws if somebody else wrote it, or it runs the server of another home. */
function readOwn({ path, content }: Service): string | undefined {
	if (!existsSync(path)) return undefined;
	const before = readFileSync(path, 'utf8');
	if (isSameUnit(before, content)) return before;
	throw new Error(
		`${path} is of another home, or not as \`signalbox service install\` writes it: look at it, remove it, then try again.`,
	);
}

/** Removes the file, if it is there, and says how to stop what it started. Throws as `readOwn`. */
export function removeService(terminal: Terminal): void {
	const service = ownService(terminal, homeOf(terminal), 'signalbox.js');
	const { path, stop, enabled } = service;
	const before = readOwn(service);
	if (before !== undefined && enabled !== undefined) applyChanges([{ path: enabled, before, after: undefined }]);
	applyChanges([{ path, before, after: undefined }]);
	terminal.print(before === undefined ? `There is no ${path}.` : `removed  ${path}\nStop it: ${stop}`);
}

/** `signalbox service` */
export const service: Command = {
	usage: 'service install|remove [--print]',
	about: [
		'Writes the file by which systemd (Linux) or launchd (macOS) runs the server whenever you are signed in, or removes it,',
		'and prints the line that starts or stops it. A file of that name that is not as this command writes it stays.',
	].join('\n'),
	options: { print: { type: 'boolean', about: 'Shows the file and writes nothing' } },
	words: 1,
	examples: ['signalbox service install', 'signalbox service remove'],
	exits: { 0: 'done, or nothing to do', 1: 'it could not be done', 2: 'the command line does not fit' },
	async run({ print: isShown = false }, [word = ''], terminal) {
		if (word !== 'install' && word !== 'remove') throw new UsageError('Say `install` or `remove`.');
		if (word === 'remove' && !isShown) {
			removeService(terminal);
			return EXIT.done;
		}
		const home = homeOf(terminal);
		const own = ownService(terminal, home, lastingProgram());
		const { path, content, start } = own;
		if (isShown) {
			terminal.print(`${path}\n\n${content}`);
			return EXIT.done;
		}
		writableHomeOf(terminal);
		applyChanges([{ path, before: readOwn(own), after: content }]);
		terminal.print(`wrote    ${path}\nStart it: ${start}`);
		if ((await findServer(home)) !== undefined) {
			const first = 'A server of this home runs already, and a second one ends at once.';
			terminal.say(`${first} ${howToStop(readHolder(home)?.pid)} Then start the service.`);
		}
		return EXIT.done;
	},
};
