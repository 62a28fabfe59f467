import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { doorPath, MAX_SOCKET_PATH } from '#hooks-bridge/overtone-home.ts';
import { printable } from '#lib/text/printable.ts';
import type { HookFile } from '../distribution.ts';
import { findServer } from '../home.ts';
import { type HookFileState, hookFileStates } from '../init/install-hook.ts';
import { projectFiles } from '../init/plan-init.ts';
import { onMismatchIn } from '../init/project-config.ts';
import { readIfThere } from '../init/read-text.ts';
import type { Check, FindCommand, Patient } from './check.ts';

/** From this version on a hook entry can say that the client shall block when the hook fails. */
const CLIENT_FLOOR = [2, 1, 295] as const;

/** What becomes of the hooks without one of their files. */
const WITHOUT: Readonly<Record<HookFile, string>> = {
	'hook-commands.cjs': 'no command line is judged without a server',
	'hook-engine.cjs': 'no gate judges without a server',
	'hook.cjs': 'every hook does nothing',
	'hook.sh': 'every hook does nothing',
};

/** Looks a command up on a PATH, as a shell does. */
export function commandFinder(path: string | undefined): FindCommand {
	return (name) =>
		(path ?? '')
			.split(delimiter)
			.filter((folder) => folder !== '')
			.map((folder) => join(folder, name))
			.find((candidate) => {
				try {
					accessSync(candidate, constants.X_OK);
					return true;
				} catch {
					return false;
				}
			});
}

function checkHookFiles({ home }: Patient): Check[] {
	const fix = 'run `signalbox init`';
	return (Object.entries(hookFileStates(home)) as [HookFile, HookFileState][]).map(([file, state]): Check => {
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

function checkCommands(find: FindCommand): Check[] {
	const curl = find('curl');
	const node = find('node');
	return [
		curl
			? { state: 'ok', name: 'curl', detail: curl }
			: { state: 'warn', name: 'curl', detail: 'not found: hooks use node, which is slower', fix: 'install curl' },
		node
			? { state: 'ok', name: 'node', detail: node }
			: {
					state: 'wrong',
					name: 'node',
					detail: 'not found: without a running server nothing is judged',
					fix: 'put node on PATH',
				},
	];
}

async function checkDoor({ home }: Patient): Promise<Check> {
	const name = 'door';
	const path = doorPath(home);
	const bytes = Buffer.byteLength(path);
	if (bytes > MAX_SOCKET_PATH) {
		const detail = `the socket's path has ${bytes} bytes, at most ${MAX_SOCKET_PATH} are possible: ${path}`;
		return { state: 'wrong', name, detail, fix: 'set OVERTONE_HOME to a shorter folder' };
	}
	const url = await findServer(home);
	if (url !== undefined) return { state: 'ok', name, detail: `open; the server is at ${url}` };
	return {
		state: 'warn',
		name,
		detail: 'no server runs: sessions are recorded and judged, but nobody can approve',
		fix: 'run `signalbox start`',
	};
}

function isOlder(version: readonly number[], floor: readonly number[]): boolean {
	const at = floor.findIndex((part, index) => part !== version[index]);
	return at !== -1 && (version[at] ?? 0) < (floor[at] ?? 0);
}

async function checkClient(find: FindCommand, env: Patient['env']): Promise<Check> {
	const name = 'client';
	const claude = find('claude');
	if (claude === undefined) return { state: 'note', name, detail: 'claude is not on PATH; its version is unknown' };
	const told = await promisify(execFile)(claude, ['--version'], {
		env: { ...env } as NodeJS.ProcessEnv,
		timeout: 15_000,
	})
		.then(({ stdout }) => stdout)
		.catch(() => '');
	const version = /(\d+)\.(\d+)\.(\d+)/.exec(told);
	if (version === null)
		return { state: 'warn', name, detail: `${claude} --version gives no version`, fix: 'run it yourself' };
	if (!isOlder(version.slice(1).map(Number), CLIENT_FLOOR))
		return { state: 'ok', name, detail: `Claude Code ${version[0]}` };
	return {
		state: 'warn',
		name,
		detail: `Claude Code ${version[0]} cannot block when a hook fails or times out`,
		fix: `update it to ${CLIENT_FLOOR.join('.')} or newer`,
	};
}

function checkOnMismatch({ project, home }: Patient): Check {
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

/** Whether what the hooks need is on this machine. */
export async function checkMachine(patient: Patient): Promise<Check[]> {
	const find = commandFinder(patient.env.PATH);
	return [
		...checkHookFiles(patient),
		...checkCommands(find),
		await checkDoor(patient),
		checkOnMismatch(patient),
		await checkClient(find, patient.env),
	];
}
