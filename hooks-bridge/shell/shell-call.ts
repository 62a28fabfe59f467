import { randomUUID } from 'node:crypto';
import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { SHELL_TOOL, type ShellEnv } from '#lib/commands/shell-settings.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { isJson } from '#lib/json/json.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import { writeCall } from '../agents/claude-code/claude-code.ts';
import { askServer, isJsonObject } from '../door/ask-server.ts';
import type { Waiting } from '../door/door-client.ts';
import { seal } from '../engine/record.ts';
import { respond } from '../engine/respond.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { Ports } from '../ports/ports.ts';

/** The source of the agent shell's lines, and how they are judged and recorded. */
export interface ShellService {
	/** The state root. */
	home: string;
	project: string;
	cwd: string;
	sessionId: string;
	env: ShellEnv;
	ports: Ports;
	/** What must not run (`commands.exclude`): the gate reads it itself; here it is part of the message of a blocked command. */
	exclude: readonly string[];
	/** How long a person may take, in seconds. */
	holdSeconds: number;
	/** Called when the line waits for a person. */
	onWaiting?: (waiting: Waiting) => Promise<void>;
	/** Called with the reason why a line may run although it was denied, and with the changed line, if a person changed it. */
	onAllowed?: (why: string, instead: string | undefined) => void;
}

/** The verdict of gates and people on a line, which a person may have changed. */
export type LineVerdict = { decision: 'pass'; line: string; allowed?: string } | { decision: 'deny'; reason: string };

const ASK_MORE_SECONDS = 30;

/** One line: judged as any tool call is, by the running server or here, and recorded under the same call. */
export class ShellCall {
	readonly #service: ShellService;
	readonly #line: string;
	readonly #body: string;
	readonly #hook: AgentHook;
	readonly #run: HookRun;

	constructor(service: ShellService, line: string) {
		const { sessionId, cwd, project, holdSeconds } = service;
		this.#service = service;
		this.#line = line;
		this.#run = {
			requestId: randomUUID(),
			profile: 'closed',
			projectDir: project,
			cwd,
			clientPid: process.pid,
			beside: true,
			timeoutSeconds: Math.ceil(holdSeconds) + ASK_MORE_SECONDS,
		};
		const toolUseId = `sh_${randomUUID()}`;
		this.#body = writeCall({ sessionId, cwd, tool: SHELL_TOOL, toolUseId, input: { command: line } });
		const read = adapterOf().read(this.#body);
		if (!read.ok) throw new Error(read.reason);
		this.#hook = read.hook;
	}

	/**
	 * Asks the door as a hook does, which may wait for a person, else judges here. Undefined if the answer is no longer wanted.
	 */
	async judge(signal: AbortSignal): Promise<LineVerdict | undefined> {
		const { home, project, ports, onWaiting } = this.#service;
		// Nothing else from the environment: the agent could switch gates off with it.
		const env = { CLAUDE_PROJECT_DIR: project };
		const answer = await askServer(home, this.#body, this.#run, env, { signal, ...(onWaiting && { onWaiting }) });
		if (signal.aborted) return undefined;
		if (answer.kind === 'output' && (answer.text === '' || isJsonObject(answer.text))) {
			return verdictOf(answer.text === '' ? null : JSON.parse(answer.text), this.#line);
		}
		return verdictOf(respond(this.#body, this.#run, ports).output, this.#line);
	}

	/** Appends events of this line to its session's timeline. Throws when the file cannot be written. */
	record(drafts: readonly DraftEvent[]): void {
		const { ports } = this.#service;
		ports.append(this.#hook.sessionId, seal(drafts, this.#hook, this.#run, ports, 'shell'));
	}
}

/** A hook output as a verdict. A question for a person at a terminal is a denial, since there is no terminal. */
export function verdictOf(output: unknown, line: string): LineVerdict {
	if (!isJson(output)) return { decision: 'pass', line };
	const { decision, reason, input } = adapterOf().readPrinted(output);
	if (decision === 'deny' || decision === 'ask') return { decision: 'deny', reason: reason ?? 'no reason was given' };
	const changed = typeof input?.command === 'string' ? input.command : line;
	return { decision: 'pass', line: changed, ...(decision === 'allow' && reason !== undefined && { allowed: reason }) };
}
