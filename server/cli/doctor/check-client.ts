import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Check, FindCommand, Patient } from './check.ts';

/** From this version on a hook entry can say that the client shall block when the hook fails. */
const CLIENT_FLOOR = [2, 1, 295] as const;
/** The last version seen that asks no hook for permission with -p. */
const SILENT_PRINT = [2, 1, 198] as const;

function isOlder(version: readonly number[], floor: readonly number[]): boolean {
	const at = floor.findIndex((part, index) => part !== version[index]);
	return at !== -1 && (version[at] ?? 0) < (floor[at] ?? 0);
}

/** Which client would run the hooks, and what it does not know of them. `hasClosed`: a gate here must fail closed. */
export async function checkClient(find: FindCommand, env: Patient['env'], hasClosed: boolean): Promise<Check> {
	const name = 'client';
	const claude = find('claude');
	if (claude === undefined) return { state: 'note', name, detail: 'claude is not on PATH; its version is unknown' };
	const told = await promisify(execFile)(claude, ['--version'], {
		env: { ...env } as NodeJS.ProcessEnv,
		timeout: 15_000,
	})
		.then(({ stdout }) => stdout)
		.catch(() => '');
	const found = /(\d+)\.(\d+)\.(\d+)/.exec(told);
	if (found === null)
		return { state: 'warn', name, detail: `${claude} --version gives no version`, fix: 'run it yourself' };
	const version = found.slice(1).map(Number);
	if (!isOlder(version, CLIENT_FLOOR)) return { state: 'ok', name, detail: `Claude Code ${found[0]}` };
	const missing = [
		'ignores onFailure, so it goes on when a hook crashes or times out',
		...(hasClosed ? ['the fail-closed entry here holds only while the hook can answer'] : []),
		...(isOlder(version, SILENT_PRINT) ? ['with -p it asks no hook for permission'] : []),
	];
	return {
		state: hasClosed ? 'wrong' : 'warn',
		name,
		detail: `Claude Code ${found[0]} ${missing.join('; ')}`,
		fix: `update it to ${CLIENT_FLOOR.join('.')} or newer`,
	};
}
