import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { runHook } from '#e2e/rig/hook-process.ts';
import { SIGNALBOX } from '#e2e/rig/repository.ts';
import { headersOf } from '#hooks-bridge/door/hook-run.ts';
import { OWN_DENIALS } from '#server/setup/closed-command.ts';
import type { SoakFixture } from './soak-fixture.ts';

/** Exit code and output of a program that gets `input`. */
export function end(
	command: string,
	args: readonly string[],
	fixture: SoakFixture,
	env: Record<string, string> = {},
	input = '',
) {
	const { home } = fixture.server;
	const child = spawn(command, args, {
		cwd: fixture.project,
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, ...env }),
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	let stdout = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stderr.resume();
	child.stdin.on('error', () => undefined);
	child.stdin.end(input);
	return new Promise<{ stdout: string; exitCode: number | null }>((resolve) => {
		child.on('close', (exitCode) => resolve({ stdout, exitCode }));
	});
}

/** Whether a hook denied the call. */
export const denies = ({ stdout, exitCode }: { stdout: string; exitCode: number | null }) =>
	exitCode === 2 || stdout.includes('"permissionDecision":"deny"');

/** A tool call of the session's main agent, with too little time for a person. */
export const call = ({ project }: SoakFixture, tool_name: string, tool_input: object) => ({
	...{ session_id: 'evader', cwd: project, hook_event_name: 'PreToolUse', permission_mode: 'default' },
	...{ tool_name, tool_use_id: `toolu_${randomUUID()}`, tool_input },
});
/** Whether the call is let through. */
export async function asks(fixture: SoakFixture, tool: string, input: object): Promise<'runs' | undefined> {
	const hook = runHook(fixture.server.home, call(fixture, tool, input), { timeoutSeconds: 12 });
	return denies(await hook.ended) ? undefined : 'runs';
}
/** What the fail-closed entry said of a command line. `unjudged`: it denied because nobody could judge. */
export type LineAnswer = 'named' | 'asked' | 'unjudged' | 'runs';

/** Sends a command line to the fail-closed entry, as the client runs it from the project's settings. */
export async function sendLine(fixture: SoakFixture, command: string, seconds: number): Promise<LineAnswer> {
	const settings = JSON.parse(readFileSync(join(fixture.project, '.claude/settings.local.json'), 'utf8'));
	const installed: string = settings.hooks.PreToolUse[0].hooks[0].command;
	// Its last word is how long it may wait for a person.
	const entry = installed.replace(/\d+$/, String(seconds));
	const input = JSON.stringify(call(fixture, 'Bash', { command }));
	const answer = await end('/bin/sh', ['-c', entry], fixture, {}, input);
	if (!denies(answer)) return 'runs';
	if (answer.exitCode !== 0 || OWN_DENIALS.some((words) => answer.stdout.includes(words))) return 'unjudged';
	return answer.stdout.includes('is not allowed here') ? 'named' : 'asked';
}

/** Whether the fail-closed entry lets a command line run. */
export const runsLine = async (fixture: SoakFixture, command: string): Promise<'runs' | undefined> =>
	(await sendLine(fixture, command, 12)) === 'runs' ? 'runs' : undefined;
/** Whether `signalbox sh` does something with the line. */
export async function shellDoes(
	fixture: SoakFixture,
	line: string,
	env: Record<string, string>,
): Promise<'runs' | undefined> {
	const { exitCode } = await end(process.execPath, [SIGNALBOX, 'sh', line, '--session', 'evader'], fixture, env);
	return exitCode === 0 ? 'runs' : undefined;
}

/** Hands a hook's input to the door under the name of a run; gives what the door prints. */
export function tellDoor({ server }: SoakFixture, input: object, requestId: string): Promise<string> {
	const headers = headersOf({ requestId, profile: 'open', timeoutSeconds: 12 }, {});
	const to = { socketPath: server.socketPath, path: '/hooks/claude-code', method: 'POST', headers, agent: false };
	return new Promise((resolve, reject) => {
		const request = http.request(to, (response) => {
			let body = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				body += part;
			});
			response.on('end', () => resolve(body));
		});
		request.on('error', reject).end(JSON.stringify(input));
	});
}

/** Changes the project's settings as an agent can that writes files. */
export function changeSettings({ project }: SoakFixture, change: object): 'runs' {
	const path = join(project, '.claude/settings.json');
	const before = JSON.parse(readFileSync(path, 'utf8'));
	writeFileSync(path, JSON.stringify({ ...before, ...change }));
	// What the client does then was observed, not measured here.
	return 'runs';
}
