import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { askDoor } from '#hooks-bridge/door/door-client.ts';
import { headersOf } from '#hooks-bridge/door/hook-run.ts';
import type { HookRun } from '#hooks-bridge/ports/ports.ts';
import type { RecordedStep } from './recording.ts';

/** What a real hook entry has; a call may wait for a person below it. */
const HOOK_TIMEOUT_SECONDS = 150;
const FIRST_ANSWER_MS = 5000;

type Branch = 'denied' | 'approved';

function branchOf(output: string): Branch {
	try {
		const { hookSpecificOutput } = JSON.parse(output) as { hookSpecificOutput?: { permissionDecision?: unknown } };
		return hookSpecificOutput?.permissionDecision === 'allow' ? 'approved' : 'denied';
	} catch {
		return 'denied';
	}
}

/**
 * Plays a recording through a server's door, as the client's hooks would: each input waits for its answer, and the
 * call at the fork decides how the session goes on. Rejects when the door gives no answer or `signal` aborts.
 */
export async function playRecording(options: {
	steps: readonly RecordedStep[];
	/** The server's unix socket. */
	door: string;
	/** The agent's project, absolute. */
	project: string;
	/** 1 is as recorded, 10 ten times as fast. */
	speed: number;
	signal: AbortSignal;
	/** Called when the call at the fork is about to be made, and how it went. */
	onFork?: (branch: Branch | undefined) => void;
}): Promise<void> {
	let taken: Branch | undefined;
	for (const step of options.steps) {
		if (step.when !== undefined && step.when !== taken) continue;
		await pause(step.wait / options.speed, undefined, { signal: options.signal });
		if ('file' in step) {
			makeFolder(dirname(step.file), 0o777);
			writeFileSync(step.file, step.text);
			continue;
		}
		if (step.fork) options.onFork?.(undefined);
		const output = await askDemoDoor(options.door, options.project, step.input, options.signal);
		if (!step.fork) continue;
		taken = branchOf(output);
		options.onFork?.(taken);
	}
}

/** Gives one hook input to a server's door, as the client's hook would, and waits for its answer. */
export async function askDemoDoor(
	door: string,
	project: string,
	input: Record<string, unknown>,
	signal: AbortSignal,
): Promise<string> {
	const run: HookRun = {
		requestId: randomUUID(),
		profile: 'open',
		clientPid: process.pid,
		timeoutSeconds: HOOK_TIMEOUT_SECONDS,
	};
	const bounds = { firstMs: FIRST_ANSWER_MS, restMs: (HOOK_TIMEOUT_SECONDS - 8) * 1000, signal };
	const answer = await askDoor(door, JSON.stringify(input), headersOf(run, { CLAUDE_PROJECT_DIR: project }), bounds);
	// Whoever stops waiting is answered by the denial that stands; nobody may be told of it.
	signal.throwIfAborted();
	if (answer.kind === 'output') return answer.text;
	throw new Error(`The demo's own server does not answer (${answer.kind}).`);
}
