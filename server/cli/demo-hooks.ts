import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { askDoor } from '#hooks-bridge/door/door-client.ts';
import { headersOf } from '#hooks-bridge/door/hook-run.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';

/** What a real hook entry has; a call may wait for a person below it. */
const HOOK_TIMEOUT_SECONDS = 150;
const FIRST_ANSWER_MS = 5000;

/** The home of the person in the recordings; every path in them begins so. */
export const RECORDED_HOME = '/home/dev';

/** A recording beside the program: in `dist/` as in the sources. */
export function demoFile(name: 'demo.signalbox.gz' | 'session.jsonl' | 'question.jsonl'): string {
	return join(import.meta.dirname, 'demo', name);
}

/** How a call at a fork went. */
export type Branch = 'denied' | 'approved';

const StepPosition = {
	/** Milliseconds since the step before it. */
	wait: z.number().min(0),
	/** Played only if the call at the fork went this way. */
	when: z.enum(['denied', 'approved']).optional(),
};

/** A hook input as the client sent it, or a file as it was from then on. */
const RecordedStep = z.union([
	z.object({ ...StepPosition, input: z.record(z.string(), z.unknown()), fork: z.literal(true).optional() }),
	z.object({ ...StepPosition, file: z.string(), text: z.string() }),
]);
export type RecordedStep = z.infer<typeof RecordedStep>;

/** Reads recorded hooks (one step a line) as if they had been recorded below `folder`. Throws for a line that does not fit. */
export function readSteps(text: string, folder: string): RecordedStep[] {
	const escaped = JSON.stringify(folder).slice(1, -1);
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => RecordedStep.parse(JSON.parse(line.replaceAll(RECORDED_HOME, escaped))));
}

/**
 * Plays recorded hooks through a server's door, as a client would: each waits for its answer, and the call at the fork decides
 * how the session goes on. Rejects without an answer, or when `signal` aborts.
 */
export async function playSteps(options: {
	steps: readonly RecordedStep[];
	door: string;
	project: string;
	/** 1 is as recorded, 10 ten times as fast. */
	speed: number;
	signal: AbortSignal;
	/** Called before the call at the fork is made, and with its outcome. */
	onFork?: (branch: Branch | undefined) => void;
}): Promise<void> {
	const { steps, speed, signal, onFork } = options;
	let taken: Branch | undefined;
	for (const step of steps) {
		if (step.when !== undefined && step.when !== taken) continue;
		await pause(step.wait / speed, undefined, { signal });
		if ('file' in step) {
			makeFolder(dirname(step.file), 0o777);
			writeFileSync(step.file, step.text);
			continue;
		}
		if (step.fork) onFork?.(undefined);
		const output = await askDemoDoor(options.door, options.project, step.input, signal);
		if (!step.fork) continue;
		taken = /"(?:permissionDecision|behavior)":"allow"/.test(output) ? 'approved' : 'denied';
		onFork?.(taken);
	}
}

/** Sends one hook input to a server's door, as the client's hook would, and waits for its answer. */
async function askDemoDoor(
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
	// An interrupted wait is answered with the denial; that answer must not be shown.
	signal.throwIfAborted();
	if (answer.kind === 'output') return answer.text;
	throw new Error(`The demo's own server does not answer (${answer.kind}).`);
}
