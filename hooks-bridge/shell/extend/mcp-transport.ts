import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { inTime, killGroup, liveGroups } from '../process-group.ts';

/** How a server is started. */
export interface McpStart {
	command: string;
	args: readonly string[];
	cwd: string;
	env: Readonly<Record<string, string>>;
	onStderr: (chunk: Buffer) => void;
}

/** Lines that are not messages: some servers also log on their output, but none should do only that. */
const MAX_STRAY_LINES = 1000;
/** How long a server may take to end by itself once its input is closed, and again after SIGTERM, in milliseconds. */
const GRACE_MS = 2000;

/**
 * A server's input and output. The server is a process group and ends as a whole: the SDK's own transport would leave its
 * children alive, and with them this process.
 */
export class McpTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	readonly #start: McpStart;
	readonly #buffer = new ReadBuffer();
	#child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
	#strayLines = 0;
	#isClosed = false;

	constructor(start: McpStart) {
		this.#start = start;
	}

	start(): Promise<void> {
		const { command, args, cwd, env, onStderr } = this.#start;
		return new Promise((resolve, reject) => {
			const own = env as NodeJS.ProcessEnv;
			const child = spawn(command, args, { cwd, env: own, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
			this.#child = child;
			liveGroups.add(child);
			child.once('spawn', () => resolve());
			child.once('error', (error) => {
				reject(error);
				this.#end();
			});
			child.once('close', () => this.#end());
			child.stdin.on('error', () => {});
			child.stdout.on('data', (chunk: Buffer) => this.#addChunk(chunk));
			child.stderr.on('data', onStderr);
		});
	}

	async send(message: JSONRPCMessage): Promise<void> {
		if (this.#isClosed) throw new Error('the server has ended');
		this.#child?.stdin.write(serializeMessage(message));
	}

	async close(): Promise<void> {
		const child = this.#child;
		if (!child || this.#isClosed) return;
		const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
		child.stdin.end();
		if (!(await inTime(gone, GRACE_MS))) {
			killGroup(child, 'SIGTERM');
			await inTime(gone, GRACE_MS);
		}
		this.#end();
	}

	/** Ends what is left of the process group. */
	#end(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		const child = this.#child;
		if (child) {
			killGroup(child, 'SIGKILL');
			liveGroups.delete(child);
			for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
		}
		this.#buffer.clear();
		this.onclose?.();
	}

	#addChunk(chunk: Buffer): void {
		try {
			this.#buffer.append(chunk);
		} catch {
			return this.#giveUp('it printed more than 10 MiB that is no message');
		}
		while (!this.#isClosed) {
			try {
				const message = this.#buffer.readMessage();
				if (message === null) return;
				this.onmessage?.(message);
			} catch (error) {
				this.#strayLines += 1;
				if (this.#strayLines > MAX_STRAY_LINES) return this.#giveUp('it prints lines that are no messages');
				this.onerror?.(error instanceof Error ? error : new Error(String(error)));
			}
		}
	}

	#giveUp(why: string): void {
		this.#start.onStderr(Buffer.from(why));
		this.#end();
	}
}
