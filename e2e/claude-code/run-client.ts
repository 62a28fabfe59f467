import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { InstalledClient } from './install-client.ts';
import type { TestProject } from './project.ts';

/** One line of the client's `stream-json` output. */
export interface ClientMessage {
	type: string;
	subtype?: string;
	[field: string]: unknown;
}

/** How a client ended. */
export interface ClientEnd {
	exitCode: number | null;
	signal: NodeJS.Signals | null;
	messages: readonly ClientMessage[];
	stderr: string;
	/** The text of the last `result` message, if one came. */
	result: string | undefined;
}

/** A client at work. */
export interface RunningClient {
	pid: number;
	messages: readonly ClientMessage[];
	/** Resolves when the process and its output have ended, however they did. */
	ended: Promise<ClientEnd>;
	kill(signal?: NodeJS.Signals): void;
}

/** Nothing of the developer's or the CI machine's own environment reaches the client. */
export function clientEnvironment(project: TestProject, apiUrl: string): Record<string, string> {
	const temporary = join(project.root, 'tmp');
	return {
		PATH: process.env.PATH ?? '/usr/bin:/bin',
		HOME: project.home,
		CLAUDE_CONFIG_DIR: join(project.home, '.claude'),
		OVERTONE_HOME: project.overtoneHome,
		ANTHROPIC_BASE_URL: apiUrl,
		ANTHROPIC_API_KEY: 'test-key',
		DISABLE_TELEMETRY: '1',
		DISABLE_ERROR_REPORTING: '1',
		DISABLE_AUTOUPDATER: '1',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		TMPDIR: temporary,
		CLAUDE_CODE_TMPDIR: temporary,
	};
}

/**
 * Starts the real client in print mode on one prompt. `permissionMode` is `default`, the name that every version knows.
 * The caller kills it or waits for `ended`; a client that hangs is killed after `limitMs`.
 */
export function runClient(options: {
	client: InstalledClient;
	project: TestProject;
	apiUrl: string;
	prompt: string;
	args?: readonly string[];
	env?: Readonly<Record<string, string>>;
	limitMs?: number;
	/** As a program does that has a person at hand, who refuses every request or answers none: only then the client has AskUserQuestion. */
	hosted?: 'refusing' | 'silent';
}): RunningClient {
	const [program, ...leading] = options.client.command;
	const { hosted } = options;
	const child = spawn(
		program,
		[
			...leading,
			...(hosted
				? ['-p', '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio']
				: ['-p', options.prompt]),
			...['--output-format', 'stream-json', '--verbose', '--permission-mode', 'default'],
			...(options.args ?? []),
		],
		{
			cwd: options.project.dir,
			env: { ...clientEnvironment(options.project, options.apiUrl), ...options.env } as NodeJS.ProcessEnv,
			stdio: [hosted ? 'pipe' : 'ignore', 'pipe', 'pipe'],
		},
	);
	const messages: ClientMessage[] = [];
	if (child.stdin) playHost(child.stdin, child.stdout, options.prompt, hosted === 'refusing');
	return {
		pid: child.pid ?? 0,
		messages,
		ended: collect(child, messages, options.limitMs ?? 90_000),
		kill: (signal = 'SIGKILL') => {
			child.kill(signal);
		},
	};
}

/** Says the prompt, refuses what the client asks or leaves it open, and hangs up at the result. */
function playHost(stdin: Writable, stdout: Readable | null, prompt: string, refuses: boolean): void {
	const send = (message: unknown): void => void stdin.write(`${JSON.stringify(message)}\n`);
	stdin.on('error', () => {});
	send({ type: 'user', message: { role: 'user', content: prompt } });
	if (!stdout) return;
	createInterface({ input: stdout }).on('line', (line) => {
		const { type, request_id } = parseLine(line);
		if (type === 'result') stdin.end();
		if (type !== 'control_request' || !refuses) return;
		const response = { behavior: 'deny', message: 'Nobody is at the terminal.' };
		send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
	});
}

function parseLine(line: string): ClientMessage {
	try {
		return JSON.parse(line) as ClientMessage;
	} catch {
		return { type: 'unreadable', line };
	}
}

async function collect(child: ChildProcess, messages: ClientMessage[], limitMs: number): Promise<ClientEnd> {
	const stderr: string[] = [];
	child.stderr?.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
	if (child.stdout) {
		createInterface({ input: child.stdout }).on('line', (line) => messages.push(parseLine(line)));
	}
	const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
	const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code, by) => resolve([code, by]));
	});
	clearTimeout(limit);
	const result = messages.findLast((message) => message.type === 'result')?.result;
	return {
		exitCode,
		signal,
		messages,
		stderr: stderr.join(''),
		result: typeof result === 'string' ? result : undefined,
	};
}
