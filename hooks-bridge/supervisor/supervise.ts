import { isAbsolute } from 'node:path';
import { insideReview, limitReached, reviewFailed } from '#lib/supervisor/answers.ts';
import { isReviewed, readSupervisorInput, type SupervisorInput } from '#lib/supervisor/hook-forms.ts';
import { countUp, type SupervisorState } from '#lib/supervisor/state.ts';
import { supervisorResultToHookOutput } from '#lib/supervisor/to-hook-output.ts';
import { isJson } from '../agents/claude-code/json.ts';
import { isDenial, joinOutputs } from '../agents/claude-code/outputs.ts';
import { type HookInput, readInput } from '../agents/claude-code/read-input.ts';
import type { HookEnd, HookRun, Ports } from '../engine/ports.ts';
import { findSettings, projectRoot } from '../engine/project.ts';
import { decideReview, type ReviewStart } from './decide-review.ts';
import { type SupervisorPlace, supervisorPlace } from './place.ts';
import { createReviewDoor } from './review-door.ts';
import { type ReviewRound, tellVerdict } from './review-events.ts';
import { changeSupervisor, readSupervisor } from './state-store.ts';
import { supervisorLimits } from './switch-supervisor.ts';

/** One hook run under the supervisor profile. */
export interface Supervision {
	/** The hook input as it came. */
	text: string;
	run: HookRun;
	ports: Ports;
	env: Readonly<Record<string, string | undefined>>;
	/** When the hook process began, in milliseconds since the epoch. */
	began: number;
	/** What every other gate says, asked at the door or judged here; it also records the hook. */
	others: () => Promise<HookEnd>;
	/** Where the door would be, and the headers of this run. */
	door: { socketPath: string; headers: Readonly<Record<string, string>> };
}

/**
 * A hook under the supervisor profile (seed 004): the other gates first, then, where the supervisor is on and has a say,
 * a review in this very process. A denial of any gate stands and saves the review.
 */
export async function supervise(call: Supervision): Promise<HookEnd> {
	const told = await call.others();
	const other = told.exitCode === 0 ? parse(told.stdout) : null;
	const fields = parse(call.text.replace(/^\ufeff/, ''));
	if (told.exitCode !== 0 || !fields) return told;
	const read = readSupervisorInput(fields);
	if (!read.ok) return { stdout: '', stderr: `Signalbox: failed to parse hook input: ${read.reason}.`, exitCode: 2 };
	if (isDenial(other) || !isReviewed(read.input)) return told;
	const own = await answer(call, read.input);
	return own === null ? told : { ...told, stdout: JSON.stringify(joinOutputs(other, own)) };
}

/** The supervisor's own output; null where it is off. */
async function answer(call: Supervision, input: SupervisorInput): Promise<Record<string, unknown> | null> {
	const { run, ports, env } = call;
	const print = (result: Parameters<typeof supervisorResultToHookOutput>[0]) => ({
		...supervisorResultToHookOutput(result, input.event),
	});
	if (run.isReviewer) return print(insideReview());
	const hookInput = readInput(call.text.replace(/^\ufeff/, ''));
	const place = supervisorPlace(env, input.sessionId);
	if (!place || !hookInput.ok) return null;
	const settings = findSettings(projectRoot(hookInput.input, run, ports), ports);
	const read = (): SupervisorState => readSupervisor(place, input.sessionId, ports.now(), settings);
	if (!read().enabled) return null;

	const limits = supervisorLimits(place, settings);
	const max = limits.maxIterations;
	const round = (iteration: number): ReviewRound => ({
		input: hookInput.input,
		run,
		ports,
		event: input.event,
		...(input.event === 'PreToolUse' && { question: input.toolInput ?? null }),
		iteration,
		max,
	});
	const counted = count(place, read, max, ports.now());
	if (!counted.ok) {
		const result = counted.error === null ? limitReached(counted.count, max) : uncounted(counted.error);
		const output = print(result);
		const failure = counted.error === null ? {} : { error: counted.error };
		tellVerdict(round(counted.count), { result, by: 'limit', output, ...failure });
		return output;
	}
	const start: ReviewStart = {
		round: round(counted.count),
		input,
		fields: hookInput.input.fields,
		place,
		env,
		cwd: folderOf(hookInput.input, run),
		timeoutSeconds: limits.timeoutSeconds,
		began: call.began,
		door: createReviewDoor(call.door.socketPath, call.door.headers),
		mayHold: settings.gates.supervisor.hold,
	};
	try {
		return await decideReview(start);
	} catch (thrown) {
		const error = thrown instanceof Error ? thrown.message : String(thrown);
		const result = reviewFailed(input.event, error, counted.count, max);
		const output = print(result);
		tellVerdict(start.round, { result, by: 'reviewer', error, output });
		return output;
	}
}

type Counted = { ok: true; count: number } | { ok: false; count: number; error: string | null };

/** One round more, saved before the review; refused where the limit is reached or nothing can be saved. */
function count(place: SupervisorPlace, read: () => SupervisorState, max: number, now: number): Counted {
	let isOver = false;
	try {
		const after = changeSupervisor(place, read, (state) => {
			isOver = state.count >= max;
			return isOver ? null : countUp(state, new Date(now).toISOString());
		});
		return isOver ? { ok: false, count: after.count, error: null } : { ok: true, count: after.count };
	} catch (error) {
		const what = error instanceof Error ? error.message : String(error);
		return { ok: false, count: read().count, error: `the state file cannot be written: ${what}` };
	}
}

/** Rounds that cannot be counted would never end, so nothing is reviewed then. */
function uncounted(error: string) {
	return { allow_stop: true, feedback: `not reviewed: ${error}` };
}

/** The client finds a session by the folder in which it was started. */
function folderOf(input: HookInput, run: HookRun): string {
	const folder = [run.projectDir, input.cwd].find((path) => path !== undefined && isAbsolute(path));
	return folder ?? run.cwd ?? process.cwd();
}

function parse(text: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(text);
		return isJson(value) ? value : null;
	} catch {
		return null;
	}
}
