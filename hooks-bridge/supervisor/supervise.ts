import { isAbsolute } from 'node:path';
import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isDenial, joinDecisions } from '#lib/gates/gate.ts';
import { parsedObject } from '#lib/json/json.ts';
import { insideReview, limitReached, reviewDecision, reviewFailed } from '#lib/supervisor/review-answers.ts';
import type { SupervisorState } from '#lib/supervisor/state.ts';
import { isReviewed, type SupervisorInput } from '#lib/supervisor/supervisor-input.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import { findSettings, projectRoot } from '../engine/facts.ts';
import { unparsedInput } from '../engine/record.ts';
import type { HookEnd } from '../ports/hook-answer.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { Ports } from '../ports/ports.ts';
import { decideReview, type ReviewStart } from './decide-review.ts';
import { createReviewDoor } from './review-door.ts';
import { type ReviewIteration, recordVerdict } from './review-events.ts';
import { changeSupervisor, readSupervisor, type SupervisorFolder, supervisorFolderOf } from './state-store.ts';
import { supervisorLimits } from './switch-supervisor.ts';

export interface Supervision {
	text: string;
	run: HookRun;
	ports: Ports;
	env: Readonly<Record<string, string | undefined>>;
	/** When the hook process began, in milliseconds since the epoch. */
	began: number;
	/** Judges by all other gates, at the door or here; also records the hook. */
	others: () => Promise<HookEnd>;
	/** The door's address, and the headers of this run. */
	door: { socketPath: string; headers: Readonly<Record<string, string>> };
}

/**
 * A hook under the supervisor profile (seed 004): the other gates first; unless one denies, and if the supervisor is on, a review
 * in this process.
 */
export async function supervise(call: Supervision): Promise<HookEnd> {
	const others = await call.others();
	const adapter = adapterOf(call.run.agent);
	const read = adapter.read(call.text);
	if (others.exitCode !== 0 || !read.ok || !adapter.readReviewed) return others;
	const reviewed = adapter.readReviewed(read.hook.raw);
	if (!reviewed.ok) return { stdout: '', stderr: unparsedInput(reviewed.reason), exitCode: 2 };
	// An input without an event's name is a Stop here (seed 004), although the gates treat it as seed 000 says.
	const hook = reviewed.input.event === 'PreToolUse' ? read.hook : atTurnEnd(read.hook);
	const printed = parsedObject(others.stdout);
	const other = printed ? adapter.readPrinted(printed) : null;
	if (isDenial(other) || !isReviewed(reviewed.input)) return others;
	const own = await review({ ...call, hook }, reviewed.input);
	return own === null ? others : { ...others, stdout: JSON.stringify(adapter.print(joinDecisions(other, own), hook)) };
}

function atTurnEnd(hook: AgentHook): AgentHook {
	const { agent, name, sessionId, agentId, cwd, raw } = hook;
	return hook.at === 'turn-end' ? hook : { agent, name, sessionId, agentId, cwd, raw, at: 'turn-end', running: null };
}

/** The supervisor's own decision; null if it is off. */
async function review(call: Supervision & { hook: AgentHook }, input: SupervisorInput): Promise<HookDecision | null> {
	const { hook, run, ports, env } = call;
	if (run.isReviewer) return reviewDecision(insideReview());
	const folder = supervisorFolderOf(env, input.sessionId);
	if (!folder) return null;
	const settings = findSettings(projectRoot(hook, run, ports), ports);
	const read = (): SupervisorState => readSupervisor(folder, input.sessionId, ports.now(), settings);
	if (!read().enabled) return null;

	const limits = supervisorLimits(folder, settings);
	const max = limits.maxIterations;
	const iterationOf = (iteration: number): ReviewIteration => ({
		hook,
		run,
		ports,
		event: input.event,
		...(input.event === 'PreToolUse' && { question: input.toolInput ?? null }),
		iteration,
		max,
	});
	const counted = count(folder, read, max, ports.now());
	if (!counted.ok) {
		const result = counted.error === null ? limitReached(counted.count, max) : uncounted(counted.error);
		const answer = reviewDecision(result);
		const failure = counted.error === null ? {} : { error: counted.error };
		recordVerdict(iterationOf(counted.count), { result, by: 'limit', answer, ...failure });
		return answer;
	}
	const start: ReviewStart = {
		round: iterationOf(counted.count),
		input,
		place: folder,
		env,
		cwd: folderOf(hook, run),
		timeoutSeconds: limits.timeoutSeconds,
		began: call.began,
		door: createReviewDoor(call.door.socketPath, call.door.headers, adapterOf(run.agent)),
		mayHold: settings.gates.supervisor.hold,
	};
	try {
		return await decideReview(start);
	} catch (thrown) {
		const error = thrown instanceof Error ? thrown.message : String(thrown);
		const result = reviewFailed(input.event, error, counted.count, max);
		const answer = reviewDecision(result);
		recordVerdict(start.round, { result, by: 'reviewer', error, answer });
		return answer;
	}
}

type Counted = { ok: true; count: number } | { ok: false; count: number; error: string | null };

/** Counts one more review, saved before it begins; refused at the limit or if nothing can be saved. */
function count(folder: SupervisorFolder, read: () => SupervisorState, max: number, now: number): Counted {
	let isOver = false;
	try {
		const after = changeSupervisor(folder, read, (state) => {
			isOver = state.count >= max;
			return isOver ? null : { ...state, count: state.count + 1, updated_at: new Date(now).toISOString() };
		});
		return isOver ? { ok: false, count: after.count, error: null } : { ok: true, count: after.count };
	} catch (error) {
		const what = error instanceof Error ? error.message : String(error);
		return { ok: false, count: read().count, error: `the state file cannot be written: ${what}` };
	}
}

/** Reviews that cannot be counted would never end, so nothing is reviewed then. */
function uncounted(error: string) {
	return { allow_stop: true, feedback: `not reviewed: ${error}` };
}

/** The client finds a session by the folder in which it was started. */
function folderOf(hook: AgentHook, run: HookRun): string {
	const folder = [run.projectDir, hook.cwd].find((path) => path !== undefined && isAbsolute(path));
	return folder ?? run.cwd ?? process.cwd();
}
