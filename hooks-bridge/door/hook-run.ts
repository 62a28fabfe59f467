import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentName, agentRow, FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import { frugalDigest } from '../disk/frugal-digest.ts';
import { tryTo } from '../disk/try-to.ts';
import type { HookRun, Profile } from '../ports/hook-run.ts';

const PROFILES: readonly string[] = ['observe', 'open', 'closed', 'supervisor'];
const MAX_VALUE = 4096;
/** Without such a character a header's text equals its bytes. */
const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** The environment values that a hook passes to the door; never the whole environment, which holds secrets. */
const ENV_NAMES = [
	'CLAUDE_PROJECT_DIR',
	'CLAUDE_CONFIG_DIR',
	'CCC_SUPERVISOR_ID',
	'CCC_SUPERVISOR_HOOK',
	'CCC_CONFIG_DIR',
] as const;

type Env = Readonly<Record<string, string | undefined>>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The arguments of a hook's command line. */
export interface HookArgs {
	agent?: string;
	profile?: string;
	timeout?: string;
	requestId?: string;
}

/** The run of a hook in its own process. The request id is a parameter, so that a test can set it. */
export function runFromEnv(
	args: HookArgs,
	env: Env,
	own: { freshId: () => string; cwd: string; ppid: number },
): HookRun {
	const { kept, dropped } = allowed(env);
	const pid = wholeNumber(env.CLAUDE_PID) ?? own.ppid;
	const agent = isAgentName(args.agent) ? args.agent : FIRST_AGENT;
	return {
		...ofAgent(agent, kept.CLAUDE_PROJECT_DIR, wholeNumber(args.timeout)),
		requestId: requestIdOf(args.requestId) ?? own.freshId(),
		profile: profileOf(args.profile, env),
		cwd: own.cwd,
		clientPid: pid,
		...(dropped.length > 0 && { dropped }),
		...supervisorOf((name) => kept[name]),
	};
}

/**
 * What depends on the client. CLAUDE_PROJECT_DIR counts only for Claude Code: others may inherit it. A hook never waits longer
 * than its client's own limit.
 */
function ofAgent(
	agent: AgentName,
	projectDir: string | undefined,
	timeoutSeconds: number | undefined,
): Pick<HookRun, 'agent' | 'projectDir' | 'timeoutSeconds'> {
	if (agent === FIRST_AGENT) return { projectDir, timeoutSeconds };
	const { longestSeconds } = agentRow(agent).can;
	return { agent, timeoutSeconds: timeoutSeconds && Math.min(timeoutSeconds, longestSeconds ?? timeoutSeconds) };
}

/** The supervisor's settings in the environment; part of a run only if there are any. */
function supervisorOf(
	read: (name: (typeof ENV_NAMES)[number]) => string | undefined,
): Pick<HookRun, 'isReviewer' | 'supervisor'> {
	const id = read('CCC_SUPERVISOR_ID');
	const configDir = read('CCC_CONFIG_DIR') ?? read('CLAUDE_CONFIG_DIR');
	return {
		...(read('CCC_SUPERVISOR_HOOK') === '1' && { isReviewer: true as const }),
		...((id ?? configDir) && { supervisor: { ...(id && { id }), ...(configDir && { configDir }) } }),
	};
}

/** The headers with which hook.sh, or its node twin, passes the same run to the door. */
export function headersOf(run: HookRun, env: Env): Record<string, string> {
	const values = Object.entries(allowed(env).kept).map(
		([name, value]) => [`x-signalbox-env-${name}`, Buffer.from(value, 'utf8').toString('latin1')] as const,
	);
	return {
		'content-type': 'application/json',
		'x-signalbox-request': run.requestId,
		'x-signalbox-profile': run.profile,
		'x-signalbox-timeout': String(run.timeoutSeconds ?? 0),
		'x-signalbox-pid': String(run.clientPid ?? 0),
		...(run.beside && { 'x-signalbox-beside': '1' }),
		...(run.dropped && { 'x-signalbox-dropped': run.dropped.join(',') }),
		...Object.fromEntries(values),
	};
}

/**
 * The run of a request at the door; header names are lower case. `named` is false for a plain POST without the hook's headers: it
 * gets no ticket of its own.
 */
export function runFromHeaders(
	headers: Headers,
	freshId: string,
	agent: AgentName = FIRST_AGENT,
): { run: HookRun; named: boolean } {
	const text = (name: string): string | undefined => {
		const value = headers[name];
		if (typeof value !== 'string' || value === '') return undefined;
		return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
	};
	const requestId = requestIdOf(text('x-signalbox-request'));
	const dropped = text('x-signalbox-dropped')?.split(',').slice(0, ENV_NAMES.length);
	return {
		named: requestId !== undefined,
		run: {
			...ofAgent(agent, text('x-signalbox-env-claude_project_dir'), wholeNumber(text('x-signalbox-timeout'))),
			requestId: requestId ?? freshId,
			profile: profileOf(text('x-signalbox-profile')),
			clientPid: wholeNumber(text('x-signalbox-pid')),
			...(text('x-signalbox-beside') === '1' && { beside: true as const }),
			...(dropped && { dropped }),
			...supervisorOf((name) => text(`x-signalbox-env-${name.toLowerCase()}`)),
		},
	};
}

function allowed(env: Env): { kept: Partial<Record<(typeof ENV_NAMES)[number], string>>; dropped: string[] } {
	const given = ENV_NAMES.filter((name) => env[name]);
	const bad = (name: string): boolean => /\p{Cc}/u.test(env[name] ?? '') || (env[name] ?? '').length > MAX_VALUE;
	return {
		kept: Object.fromEntries(given.filter((name) => !bad(name)).map((name) => [name, env[name]])),
		dropped: given.filter(bad),
	};
}

/** Whether a hook's profile is missing or one of the four. */
export function isProfile(text: string | undefined): boolean {
	return !text || PROFILES.includes(text);
}

/** The effective profile. An unknown one counts as closed, so that a misspelt guard does not become a hole. */
export function profileOf(text: string | undefined, env: Env = {}): Profile {
	if (!text) return env.CCC_SUPERVISOR_ID ? 'supervisor' : 'open';
	return isProfile(text) ? (text as Profile) : 'closed';
}

function requestIdOf(text: string | undefined): string | undefined {
	return text !== undefined && /^[\w.:-]{1,128}$/.test(text) ? text : undefined;
}

/** A positive whole number below 10^9; undefined for 0 and everything else. */
function wholeNumber(text: string | undefined): number | undefined {
	return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** A random secret of each home, 64 hex digits: the server proves with it that an answer to a fail-closed hook is its own. */
export const DOOR_KEY = 'door.key';

/** The home's secret; undefined if it is missing or something else is at its path. */
export function readDoorKey(home: string): string | undefined {
	return tryTo(() => /^[0-9a-f]{64}$/.exec(readFileSync(join(home, DOOR_KEY), 'utf8').trim())?.[0]);
}

/** Proof that only a program with the key can give for an answer to this run; hook.sh computes the same. */
export function doorProof(key: string, requestId: string, body: string, digest = frugalDigest): string {
	return digest(`${key}\n${requestId}\n${body}\n${key}`);
}

/** The proof in an answer's content type, which curl of any version can print; empty without one. */
export function proofIn(contentType: string | undefined): string {
	return /; proof=(?<proof>[0-9a-f]{64})$/.exec(contentType ?? '')?.groups?.proof ?? '';
}
