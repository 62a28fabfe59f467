import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { bareEnvironment } from './bare-environment.ts';
import { REPOSITORY } from './repository.ts';

/** How a hook ended. */
export interface HookEnd {
	exitCode: number | null;
	stdout: string;
	stderr: string;
}

/** One run of hook.sh, as the agent's client starts it. */
export interface HookProcess {
	ended: Promise<HookEnd>;
	/** What it printed so far. */
	stdout(): string;
	/** Whether it is still waiting. */
	isWaiting(): boolean;
	kill(): void;
}

/** A process that stands for the agent's client: it lives until it is killed. */
export interface StandIn {
	pid: number;
	kill(): void;
}

/** Starts a process that does nothing, whose pid a hook can name as its client. */
export function startStandIn(): StandIn {
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
	return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL') };
}

function collect(child: ChildProcess, input: unknown): HookProcess {
	let stdout = '';
	let stderr = '';
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	child.stdin?.on('error', () => {});
	child.stdin?.end(typeof input === 'string' ? input : JSON.stringify(input));
	return {
		ended: new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
		}),
		stdout: () => stdout,
		isWaiting: () => child.exitCode === null && child.signalCode === null,
		kill: () => void child.kill('SIGKILL'),
	};
}

/**
 * Runs the built hook.sh on one input. `timeoutSeconds` is what the hook entry in the settings would say; the ticket's
 * deadline is ten seconds less.
 */
export function runHook(
	home: string,
	input: unknown,
	options: {
		timeoutSeconds?: number;
		profile?: string;
		clientPid?: number;
		env?: Readonly<Record<string, string>>;
	} = {},
): HookProcess {
	const { timeoutSeconds = 130, profile = 'open', clientPid = process.pid, env = {} } = options;
	const child = spawn('sh', [join(REPOSITORY, 'dist/hook.sh'), profile, String(timeoutSeconds)], {
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, CLAUDE_PID: String(clientPid), ...env }),
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	return collect(child, input);
}

/** Runs the built hook.cjs on one input as if no server were there. */
export function runFallback(home: string, input: unknown): Promise<HookEnd> {
	const child = spawn(
		process.execPath,
		[join(REPOSITORY, 'dist/hook.cjs'), '--offline', '--profile', 'open', '--timeout', '60'],
		{ env: bareEnvironment({ OVERTONE_HOME: home, HOME: home }), stdio: ['pipe', 'pipe', 'pipe'] },
	);
	return collect(child, input).ended;
}
