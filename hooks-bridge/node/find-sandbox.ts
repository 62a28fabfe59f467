import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isExecutable } from '../disk/program-file.ts';

/** Fixed folders: a bubblewrap from a PATH that an agent may have changed is not used. */
const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const PROBE_MS = 10_000;

/** The path of a bubblewrap that can really be started here; undefined if there is none. Takes some 10 ms. */
export function findSandbox(): string | undefined {
	const path = FOLDERS.map((folder) => join(folder, 'bwrap')).find(isExecutable);
	if (path === undefined) return undefined;
	const args = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'];
	return spawnSync(path, args, { stdio: 'ignore', timeout: PROBE_MS }).status === 0 ? path : undefined;
}
