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

/** The unit file, and the commands to start and stop it. */
interface Service {
	path: string;
	content: string;
	start: string;
	stop: string;
	/** The link that makes `start` run it at each sign-in, if the system uses one. */
	enabled?: string;
}

function serviceOf({ env }: Terminal, facts: ServiceFacts, system: string): Service {
	const own = env.HOME || homedir();
	if (system === 'darwin') {
		const path = join(own, 'Library/LaunchAgents/signalbox.plist');
		return {
			path,
			content: launchdAgent(facts),
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

/** npx deletes its copy later; a service would then point to nothing. */
function lastingProgram(): string {
	const program = builtFile('signalbox.js');
	if (!program.includes('/_npx/')) return program;
	throw new Error(
		`npx deletes this program after a while (${program}). Install it with \`npm install --global\`, then try again.`,
	);
}

function ownService(terminal: Terminal, home: string, program: string): Service {
	const searchPath = terminal.env.PATH || '/usr/local/bin:/usr/bin:/bin';
	return serviceOf(terminal, { node: process.execPath, program, home, searchPath }, platform());
}

/** The installed file. Throws if somebody else wrote it, or it is for another home. */
function readOwn({ path, content }: Service): string | undefined {
	if (!existsSync(path)) return undefined;
	const before = readFileSync(path, 'utf8');
	if (isSameUnit(before, content)) return before;
	throw new Error(
		`${path} belongs to another home or was not written by \`signalbox service install\`: check it, remove it, then try again.`,
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

export const service: Command = {
	usage: 'service install|remove [--print]',
	about: [
		'Writes or removes the file that makes systemd (Linux) or launchd (macOS) run the server whenever you are signed in,',
		'and prints the command that starts or stops it. A file that this command did not write is left alone.',
	].join('\n'),
	options: { print: { type: 'boolean', about: 'print the file; write nothing' } },
	words: 1,
	examples: ['signalbox service install', 'signalbox service remove'],
	exits: { 0: 'done, or nothing to do', 1: 'failed; the reason is on stderr' },
	async run({ print: isShown = false }, [word = ''], terminal) {
		if (word !== 'install' && word !== 'remove') throw new UsageError('Use `service install` or `service remove`.');
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
			const first = 'A server of this home already runs, so the service would end at once.';
			terminal.say(`${first} ${howToStop(readHolder(home)?.pid)} Then start the service.`);
		}
		return EXIT.done;
	},
};
