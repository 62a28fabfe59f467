import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { versionOf } from '../setup/agents/find-agents.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

/** From this version on an entry can make the client block if the hook fails (`onFailure`). */
const CLIENT_FLOOR = [2, 1, 295] as const;
/** The last version seen that runs no hook for permission with -p. */
const SILENT_PRINT = [2, 1, 198] as const;

function isOlder(version: readonly number[], floor: readonly number[]): boolean {
	const at = floor.findIndex((part, index) => part !== version[index]);
	return at !== -1 && (version[at] ?? 0) < (floor[at] ?? 0);
}

/** Earlier versions silently dropped the whole settings file because of an unknown event. */
const READS_NEWER = [2, 1, 101] as const;

const parts = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number);

/** Why the client on PATH would run no hook at all, in words; undefined if it would, or if there is no client. */
export async function whyNoHookRuns(find: FindCommand, env: SetUp['env']): Promise<string | undefined> {
	const path = find(setupOf(FIRST_AGENT).program);
	return path === undefined ? undefined : droppedSettings(await versionOf(path, env));
}

function droppedSettings(version: string | undefined): string | undefined {
	if (version === undefined || !isOlder(parts(version), READS_NEWER)) return undefined;
	return `Claude Code ${version} drops the whole settings file, because it does not know all events in it: no hook runs`;
}

/** Which client would run the hooks, and what it does not support. `hasClosed`: a gate here must fail closed. */
export async function checkClient(find: FindCommand, env: SetUp['env'], hasClosed: boolean): Promise<Check> {
	const name = 'client';
	const path = find(setupOf(FIRST_AGENT).program);
	if (path === undefined)
		return { state: 'note', name, detail: 'the program claude is not on PATH; its version is unknown' };
	const installed = await versionOf(path, env);
	if (installed === undefined)
		return { state: 'warn', name, detail: `${path} --version gives no version`, fix: 'run it yourself' };
	const version = parts(installed);
	if (!isOlder(version, CLIENT_FLOOR)) return { state: 'ok', name, detail: `Claude Code ${installed}` };
	const fix = `update it to ${CLIENT_FLOOR.join('.')} or newer`;
	const dropped = droppedSettings(installed);
	if (dropped !== undefined) return { state: 'wrong', name, detail: dropped, fix };
	const missing = [
		'ignores onFailure, so a call runs when its hook crashes or times out',
		...(hasClosed ? ['the fail-closed entry works only while the hook can answer'] : []),
		...(isOlder(version, SILENT_PRINT) ? ['with -p it runs no hook for permission'] : []),
	];
	return {
		state: hasClosed ? 'wrong' : 'warn',
		name,
		detail: `Claude Code ${installed} ${missing.join('; ')}`,
		fix,
	};
}
