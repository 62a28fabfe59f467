import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentTable } from '#lib/agents/agent-table.ts';
import { takeInstanceLock } from '../door/instance-lock.ts';
import { type Command, EXIT, type Terminal } from '../process/command.ts';
import { failureWords } from '../process/failure-words.ts';
import { homeOf } from '../process/home.ts';
import { findPackageRoot } from '../process/package-root.ts';
import { shellWord } from '../process/program-name.ts';
import { howToStop } from '../process/server-holder.ts';
import { possibleProjects } from '../setup/registered-projects.ts';
import { removeFrom } from './init.ts';
import { removeService } from './service.ts';

/** Runs a step and prints why it failed; false if it did. */
function attempt(terminal: Terminal, step: () => void): boolean {
	try {
		step();
		return true;
	} catch (error) {
		terminal.say(failureWords(error));
		return false;
	}
}

/** Removes hooks and service as far as possible. False if something stays. */
function removeRegistrations(home: string, terminal: Terminal): boolean {
	const agents = agentTable.map(({ name }) => name);
	const projects = possibleProjects(home);
	// Other clients have one file for all projects, so one folder suffices for them.
	const folders = projects.length > 0 ? projects : [terminal.cwd];
	const done = folders.map((project) => {
		terminal.print(`Hooks of ${project}`);
		return attempt(terminal, () => removeFrom({ project, home, terminal }, { agents, isNamed: false }));
	});
	terminal.print('Service');
	return [...done, attempt(terminal, () => removeService(terminal))].every(Boolean);
}

/** Removes our files from the home, and the folder if it is empty then. */
function removeHome(home: string, terminal: Terminal): void {
	const names = readdirSync(home);
	for (const name of names.filter(isHomeFile)) rmSync(join(home, name), { recursive: true, force: true });
	const others = names.filter((name) => !isHomeFile(name));
	if (others.length === 0) rmdirSync(home);
	terminal.print(`removed  ${home}`);
	if (others.length > 0) terminal.say(`It still contains files that are not Signalbox's: ${others.join(', ')}.`);
}

/** How to remove the program itself. */
function programRemoval(): string {
	const root = findPackageRoot();
	const kept = /^.*\/_npx\/[^/]+(?=\/)/.exec(root)?.[0];
	if (kept !== undefined) return `npx keeps the program in ${kept}: remove that folder.`;
	if (!root.includes('/node_modules/')) return `The program is in ${root}: remove that folder.`;
	return 'The program itself: `npm uninstall --global signalbox`.';
}

export const uninstall: Command = {
	usage: 'uninstall [--yes]',
	about: [
		'Removes the hooks of all projects registered with this home, the hooks in the folders of other clients, and the',
		'service. With --yes it also deletes the home with everything recorded in it; `signalbox archive backup FILE` copies it',
		'first. To remove the program itself, run `npm uninstall --global signalbox`.',
	].join('\n'),
	options: { yes: { type: 'boolean', about: 'also delete the home and everything recorded in it' } },
	examples: ['signalbox uninstall', 'signalbox uninstall --yes'],
	exits: { 0: 'done', 1: 'the server runs, or something could not be removed' },
	run({ yes: withHome = false }, _words, terminal) {
		const home = homeOf(terminal);
		const isThere = existsSync(home);
		const instance = isThere ? takeInstanceLock(join(home, 'server.lock')) : undefined;
		if (instance?.taken === false) {
			const stop = howToStop(instance.holder?.pid);
			throw new Error(`The server of ${home} runs. ${stop} Then run \`signalbox uninstall\` again.`);
		}
		try {
			if (!removeRegistrations(home, terminal))
				throw new Error(`The home ${home} was not deleted, because hooks may still need it. Fix that, then try again.`);
			if (isThere && withHome) removeHome(home, terminal);
			else if (isThere) {
				const copy = `\`signalbox archive backup ${shellWord(`${home}.tar`)}\` copies it first`;
				terminal.say(`The record is still in ${home}. \`signalbox uninstall --yes\` removes it; ${copy}.`);
			}
		} finally {
			if (instance?.taken && existsSync(home)) instance.lock.release();
		}
		terminal.say(programRemoval());
		return EXIT.done;
	},
};

/** Files of a home other than its databases, as listed in docs/guide/files.md. */
const NAMES = new Set(
	`sessions archive reels hub-reels pruned denied locks sandbox plugin bin
	journal.seen journal.key anchors.jsonl stamps.jsonl host-label door.key mcp-token
	telemetry-token push.json bridge.sock server.lock server.lock-journal server.lock.json
	server.url service.log unwritten projects.json config.json llm.key hub.key edge.key edge.counter`.split(/\s+/),
);

/** Databases with their logs, former ones, a hub's own files, and drafts that a crash left. */
const FORMS =
	/^((journal|index)(-[^/]+)?\.db(-wal|-shm|-journal)?|hub(-policy|-state|-roster|-root)?\.json|hub-\d+\.pid|server\.(lock\.json|url)\.\d+|.*\.moved-\d+)$/;

/** Whether an entry of a home, by its name, is Signalbox's own. */
export function isHomeFile(name: string): boolean {
	return NAMES.has(name) || FORMS.test(name);
}
