import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { listSessions, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { HOME_SESSION, isSafeId } from '#lib/ids/safe-id.ts';
import { isJson, parsedJson } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { type OptionValues, type Terminal, UsageError } from '../process/command.ts';
import { projectOf } from '../process/home.ts';

const MAX_SESSIONS = 100;
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 256 * 1024;

/**
 * `--session`, else CLAUDE_CODE_SESSION_ID, else the project's newest live session, else `_home`. Throws UsageError for an
 * impossible id.
 */
export function sessionOf(
	given: OptionValues[string],
	home: string,
	project: string,
	{ env }: Pick<Terminal, 'env'>,
): string {
	const id = typeof given === 'string' ? given : env.CLAUDE_CODE_SESSION_ID;
	if (id !== undefined && id !== '') {
		if (isSafeId(id)) return id;
		throw new UsageError(`${JSON.stringify(id)} cannot be a session: letters, digits, - and _, at most 128.`);
	}
	return newestLive(home, project) ?? HOME_SESSION;
}

/** The folder of a command: `--project`, else where the session of `--session` was started, else the working directory. */
export function folderOf({ project, session }: OptionValues, home: string, terminal: Pick<Terminal, 'cwd'>): string {
	const isNamed = project === undefined && typeof session === 'string' && isSafeId(session);
	const folder = isNamed ? workingFolders(timelinePath(home, session)).find((each) => isAbsolute(each)) : undefined;
	return folder !== undefined && existsSync(folder) ? folder : projectOf(project, terminal);
}

/** The most recently written live session of this project. */
function newestLive(home: string, project: string): string | undefined {
	return sessionsByAge(home).find((sessionId) => {
		const path = timelinePath(home, sessionId);
		if (!workingFolders(path).some((folder) => `${folder}/`.startsWith(`${project}/`))) return false;
		const last = linesOf(path, 'tail').findLast(({ type }) => String(type).startsWith('session:'));
		return last?.type !== 'session:end' && last?.type !== 'session:lost';
	});
}

function workingFolders(path: string): string[] {
	return linesOf(path, 'head').flatMap(({ type, cwd }) =>
		(type === 'session:start' || type === 'prompt:submit') && typeof cwd === 'string' ? [cwd] : [],
	);
}

/** The beginning of its first prompt, in one line. */
export function titleOf(home: string, sessionId: string): string | undefined {
	const first = linesOf(timelinePath(home, sessionId), 'head').find(
		({ type, source, prompt }) => type === 'prompt:submit' && source === 'user' && typeof prompt === 'string',
	);
	return first && printable(String(first.prompt), 120);
}

function sessionsByAge(home: string): string[] {
	return listSessions(home)
		.map((name) => ({ name, at: writtenAt(timelinePath(home, name)) }))
		.sort((a, b) => b.at - a.at)
		.slice(0, MAX_SESSIONS)
		.map(({ name }) => name);
}

function writtenAt(path: string): number {
	return tryTo(() => statSync(path).mtimeMs) ?? 0;
}

function linesOf(path: string, part: 'head' | 'tail'): Record<string, unknown>[] {
	try {
		const { size } = statSync(path);
		const length = Math.min(size, part === 'head' ? HEAD_BYTES : TAIL_BYTES);
		const bytes = Buffer.alloc(length);
		const fd = openSync(path, 'r');
		try {
			readSync(fd, bytes, 0, length, part === 'head' ? 0 : size - length);
		} finally {
			closeSync(fd);
		}
		return bytes.toString('utf8').split('\n').map(parsedJson).filter(isJson);
	} catch {
		return [];
	}
}
