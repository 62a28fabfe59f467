import { platform } from 'node:os';
import { join } from 'node:path';
import { readState } from '#hooks-bridge/disk/write-files.ts';
import { defined, isJson } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { packageVersion } from './package-root.ts';

/** The process that runs the server of a home. */
export interface Holder {
	pid: number;
	/** Absent while it is still starting. */
	url?: string;
	/** Absent if an older version wrote it. */
	version?: string;
}

/** The file in which the server of a home records itself, since the database that it has locked cannot be read. */
export function holderPath(home: string): string {
	return join(home, 'server.lock.json');
}

/** The content of the lock file, whether its process still runs or not; null if it cannot be read. */
export function readHolder(home: string): Holder | null {
	const found = readState(holderPath(home));
	if (!isJson(found) || typeof found.pid !== 'number') return null;
	const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
	return { pid: found.pid, ...defined({ url: text(found.url), version: text(found.version) }) };
}

/** States that the server is of another version than this program, and what to do, as a clause; null if they are the same. */
export function versionGap(version: string | undefined): string | null {
	const own = packageVersion();
	if (version === own) return null;
	const other = version === undefined ? 'an earlier version' : printable(version, 40);
	return `runs ${other}, this is ${own}: stop it and start again`;
}

/** How a person stops a server of Signalbox, as a sentence: by where it was started, which is not recorded. */
export function howToStop(pid: number | undefined): string {
	const service =
		platform() === 'darwin' ? 'launchctl bootout gui/$(id -u)/signalbox' : 'systemctl --user stop signalbox';
	const last = pid === undefined ? '' : `, else with \`kill ${pid}\``;
	return `Stop it with Ctrl+C where it was started, with \`${service}\` where it runs as a service${last}.`;
}
