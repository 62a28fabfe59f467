import { StringDecoder } from 'node:string_decoder';
import { findSettings } from '#hooks-bridge/engine/facts.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { createAgentShell } from '#hooks-bridge/shell/agent-shell.ts';
import { DEFAULT_HOLD_SECONDS } from '#lib/settings/policy-settings.ts';
import { printable } from '#lib/text/printable.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { defineCommand, type Terminal, UsageError } from '../process/command.ts';
import { findServer, writableHomeOf } from '../process/home.ts';
import { sessionOf } from '../timeline/find-session.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const sh = defineCommand({
	usage: "sh 'COMMAND' | sh - [--session ID]",
	about: [
		'Runs one command of the agent shell: read, write, edit, TodoWrite, bash, task:, skill:, mcp: or command:search.',
		'Anything else runs as a command of the operating system, in a sandbox if there is one. Gates judge it like any tool',
		'call, a person can override a denial while it waits, and the timeline records what ran.',
		'Quote the whole command as one word, or write "-" to read it from stdin. `sh command:search` lists the commands.',
	].join('\n'),
	options: {
		session: {
			type: 'string',
			value: 'ID',
			about: 'session (default: CLAUDE_CODE_SESSION_ID, else the newest live one of the project, else _home)',
		},
	},
	words: 100,
	examples: [
		"signalbox sh 'read README.md --limit 20'",
		"signalbox sh 'npm test'",
		`signalbox sh 'task:explore -p "Where are sessions stored?" -d "find the store"'`,
		'signalbox sh - < command.txt',
	],
	exits: {
		0: 'done',
		1: 'a command of the shell itself failed',
		124: 'timed out (SYNAPSE_COMMAND_TIMEOUT, in milliseconds)',
		126: 'not run: blocked by a rule or a person, or no sandbox and commands.withoutSandbox is "refuse"',
		130: 'interrupted; everything that it had started was ended',
	},
	async run(values, words, terminal) {
		const line = await readLine(words);
		const home = writableHomeOf(terminal);
		const ports = createNodePorts({ home });
		try {
			return await runLine(line, values.session, home, ports, terminal);
		} finally {
			ports.close();
		}
	},
});

async function runLine(
	line: string,
	session: string | undefined,
	home: string,
	ports: Ports,
	terminal: Terminal,
): Promise<number> {
	const { env, cwd } = terminal;
	const project = env.CLAUDE_PROJECT_DIR?.startsWith('/') ? env.CLAUDE_PROJECT_DIR : ports.projectRootOf(cwd);
	const settings = findSettings(project, ports);
	const shell = createAgentShell({
		home,
		project,
		cwd,
		env,
		ports,
		sessionId: sessionOf(session, home, project, terminal),
		holdSeconds: settings.holdSeconds ?? DEFAULT_HOLD_SECONDS,
		exclude: settings.commands.exclude,
		withoutSandbox: settings.withoutSandbox,
		onWarning: (message) => terminal.say(`signalbox: ${message}`),
		onWaiting: async ({ until }) => {
			const url = await findServer(home);
			const where = url === undefined ? 'on the Approvals page' : `at ${url}/approvals`;
			terminal.say(`Command blocked. It waits for an operator ${where} until ${clockTime(until)}; Ctrl+C cancels it.`);
		},
		onAllowed: (why, instead) => {
			const ran = instead === undefined ? '' : `; this runs instead: ${printable(instead, 500)}`;
			terminal.say(`${printable(why, 2000)}${ran}`);
		},
	});
	const write = terminal.write ?? processOutput;
	const running = shell.run(line, { onOutput: write });
	const stop = (): void => running.cancel();
	for (const name of SIGNALS) process.on(name, stop);
	try {
		const result = await running;
		if (!result.streamed) {
			await write(Buffer.from(result.stdout), 'stdout');
			await write(Buffer.from(result.stderr), 'stderr');
		}
		return result.exitCode;
	} finally {
		await shell.close().finally(() => {
			for (const name of SIGNALS) process.off(name, stop);
		});
	}
}

async function readLine(words: readonly string[]): Promise<string> {
	const [line, ...more] = words;
	if (line === undefined) throw new UsageError('Give a command: signalbox sh \'COMMAND\'. A "-" reads it from stdin.');
	if (more.length > 0) {
		throw new UsageError(`Quote the whole command as one word, e.g. signalbox sh '${[line, more[0]].join(' ')}'.`);
	}
	return line === '-' ? readWholeStdin() : line;
}

const MAX_COMMAND_BYTES = 1024 * 1024;

const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };

/**
 * Writes a command's output to our own streams and waits for a slow reader. Pipes get the bytes, terminals see control characters
 * by name.
 */
export async function processOutput(chunk: Buffer, name: 'stdout' | 'stderr'): Promise<void> {
	const stream = process[name];
	const shown = stream.isTTY ? visibleString(decoders[name].write(chunk)) : chunk;
	if (stream.write(shown)) return;
	await new Promise<void>((resolve) => {
		const go = (): void => {
			stream.off('drain', go).off('close', go).off('error', go);
			resolve();
		};
		stream.on('drain', go).on('close', go).on('error', go);
	});
}

/** A command from stdin, without its last line break. Throws UsageError when it is longer than 1 MiB. */
export async function readWholeStdin(): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of process.stdin) {
		chunks.push(Buffer.from(chunk));
		length += chunk.length;
		if (length > MAX_COMMAND_BYTES) throw new UsageError('The command on stdin is longer than 1 MiB.');
	}
	return Buffer.concat(chunks)
		.toString('utf8')
		.replace(/\r?\n$/, '');
}
