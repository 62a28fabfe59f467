import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { isExecutable } from '#hooks-bridge/disk/program-file.ts';
import { sendToDoor } from '#hooks-bridge/door/door-client.ts';
import { doorProof, proofIn, readDoorKey } from '#hooks-bridge/door/hook-run.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import { printable } from '#lib/text/printable.ts';
import { tooLongFor } from '../door/socket-path.ts';
import { diskRoom } from '../process/disk-room.ts';
import { reasonOf } from '../process/failure-words.ts';
import { findServer } from '../process/home.ts';
import { howToStop, readHolder, versionGap } from '../process/server-holder.ts';
import { requireWritable } from '../process/writable-folder.ts';
import type { HookFile } from '../setup/distribution.ts';
import { type HookFileState, hookFileStates } from '../setup/install-hook.ts';
import { onMismatchIn, projectFiles } from '../setup/project-settings.ts';
import { readIfThere } from '../setup/read-text.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

const ANSWER_MS = 5000;

/** What does not work if one of the hook's files is missing. */
const WITHOUT: Readonly<Record<HookFile, string>> = {
	'enter-sandbox.cjs': 'no command runs where commands.enforce is "sandbox"',
	'enter-sandbox.sh': 'no command runs where commands.enforce is "sandbox"',
	'hook-commands.cjs': 'no command line is judged without a server',
	'hook-engine.cjs': 'no gate judges without a server',
	'hook.cjs': 'every hook does nothing',
	'hook.sh': 'every hook does nothing',
};

/** Finds a command on a PATH, as a shell does; checks an absolute path directly. */
export function commandFinder(path: string | undefined): FindCommand {
	const folders = (path ?? '').split(delimiter).filter(Boolean);
	return (name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))).find(isExecutable);
}

function checkHookFiles({ home }: SetUp): Check[] {
	const fix = 'run `signalbox init`';
	const states = Object.entries(hookFileStates(home)) as [HookFile, HookFileState][];
	if (states.every(([, state]) => state === 'missing')) {
		const detail = `none in ${join(home, 'bin')}, so every hook does nothing`;
		return [{ state: 'wrong', name: 'installed hook', detail, fix }];
	}
	return states.map(([file, state]): Check => {
		const name = `installed ${file}`;
		const where = join(home, 'bin', file);
		switch (state) {
			case 'same':
				return { state: 'ok', name, detail: where };
			case 'other-version':
				return { state: 'warn', name, detail: `${where} is of another version`, fix };
			case 'not-executable':
				return { state: 'wrong', name, detail: `${where} is not executable, so every hook does nothing`, fix };
			case 'missing': {
				return { state: 'wrong', name, detail: `${where} is missing, so ${WITHOUT[file]}`, fix };
			}
			default:
				return state satisfies never;
		}
	});
}

function checkHome({ home }: SetUp): Check[] {
	try {
		requireWritable(home);
		return [];
	} catch (error) {
		const detail = `${reasonOf(error)}, so nothing is recorded and no server starts`;
		const fix = 'give this user the right to write it, or set OVERTONE_HOME to a folder of yours';
		return [{ state: 'wrong', name: 'home', detail, fix }];
	}
}

function checkCommands(find: FindCommand): Check[] {
	const curl = find('curl');
	const node = find('node');
	return [
		curl
			? { state: 'ok', name: 'curl', detail: curl }
			: {
					state: 'warn',
					name: 'curl',
					detail: 'not found: hooks use perl if there is one, otherwise node, which is slower',
					fix: 'install curl',
				},
		node
			? { state: 'ok', name: 'node', detail: node }
			: {
					state: 'wrong',
					name: 'node',
					detail: 'not found: without a running server nothing is judged',
					fix: 'add node to PATH',
				},
	];
}

async function checkDoor({ home }: SetUp): Promise<Check> {
	const name = 'door';
	const path = doorPath(home);
	const detail = tooLongFor(path);
	if (detail !== null) return { state: 'wrong', name, detail, fix: 'set OVERTONE_HOME to a shorter folder' };
	const url = await findServer(home);
	if (url !== undefined && !(await isProvenServer(home))) {
		const detail = `what answers on ${path} does not prove that it is this home's server: fail-closed hooks deny, the others may let calls run`;
		return { state: 'wrong', name, detail, fix: 'find out what it is, and start the server again' };
	}
	const open = [home, path].filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
	if (url !== undefined && open.length > 0) {
		const detail = `other users of this machine may use ${open.join(' and ')}`;
		return { state: 'wrong', name, detail, fix: `chmod go= ${open.join(' ')}` };
	}
	const holder = readHolder(home);
	const gap = url !== undefined && holder ? versionGap(holder.version) : null;
	if (gap !== null) {
		return { state: 'warn', name, detail: `open; the server at ${url} ${gap}`, fix: howToStop(holder?.pid) };
	}
	if (url !== undefined) return { state: 'ok', name, detail: `open; the server is at ${url}` };
	return {
		state: 'warn',
		name,
		detail: 'no server runs: sessions are recorded and judged, but nobody can approve',
		fix: 'run `signalbox start`',
	};
}

/** Whether the program that listens on the home's socket proves that it is the home's server. Records and judges nothing. */
async function isProvenServer(home: string): Promise<boolean> {
	const key = readDoorKey(home);
	if (key === undefined) return false;
	const requestId = randomUUID();
	const headers = { 'x-signalbox-profile': 'closed', 'x-signalbox-request': requestId };
	const request = { method: 'GET', path: '/tickets/who', text: '', headers, ms: ANSWER_MS };
	const answer = await sendToDoor(doorPath(home), request).catch(() => null);
	return answer !== null && proofIn(answer.contentType) === doorProof(key, requestId, answer.text);
}

function checkRoom({ home }: SetUp): Check[] {
	const room = diskRoom(statSync(home, { throwIfNoEntry: false }) ? home : dirname(home));
	if (!room) return [];
	const name = 'disk space';
	const detail = `${byteSize(room.free)} of ${byteSize(room.total)} left for ${home}`;
	return room.isLow
		? [{ state: 'warn', name, detail, fix: 'free some space on that disk' }]
		: [{ state: 'ok', name, detail }];
}

function checkOnMismatch({ project, home }: SetUp): Check {
	const name = 'approvals';
	const paths = [projectFiles(project).config, join(home, 'config.json')];
	try {
		const value = paths.map((path) => onMismatchIn(readIfThere(path) ?? '', path)).find((found) => found !== undefined);
		if (value === 'deny')
			return { state: 'ok', name, detail: 'a denial can be approved (gates.routing.onMismatch is "deny")' };
		const detail = `a denial ends the agent's turn (gates.routing.onMismatch is ${printable(JSON.stringify(value ?? 'stop'))})`;
		return { state: 'warn', name, detail, fix: `set it to "deny" in ${paths[0]}` };
	} catch (error) {
		return { state: 'wrong', name, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** Whether this machine has what the hooks need. */
export async function checkMachine(setUp: SetUp, find: FindCommand): Promise<Check[]> {
	return [
		...checkHome(setUp),
		...checkHookFiles(setUp),
		...checkCommands(find),
		await checkDoor(setUp),
		...checkRoom(setUp),
		checkOnMismatch(setUp),
	];
}
