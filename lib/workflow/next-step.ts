import type { StageResult, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { printable } from '../text/printable.ts';
import { agentOfStage, lastEnded, nextStages, stageProgress } from './next-stages.ts';
import { DEVELOPER, isSearched, needsRepair, unrepaired } from './repair.ts';
import { DEBUGGER } from './stages.ts';
import { agentOfKey, isBadResult, isPaused, isRunning, stageOf } from './workflow-state.ts';

const MARKS = { pending: '○', active: '◐', completed: '●' } as const;

/** What the main agent should do next, in words that the model reads; null when nothing is left to do. */
export function nextStep(state: WorkflowState): string | null {
	if (!isRunning(state)) return null;
	if (isPaused(state)) {
		return 'It is paused by a person: do what the person asks and begin no stage until it is resumed.';
	}
	if (state.fatal) return `Stop and ask the person how to go on: ${printable(state.fatal.reason, 300)}.`;
	const busy = Object.entries(state.activeAgents).map(([key, one]) => `${agentOfKey(key)} (${one.stage})`);
	if (busy.length > 0) return `Wait for ${list(busy)} before the next stage.`;
	const next = nextStages(state);
	if (next.stages.length === 0) {
		const left = Object.keys(state.stages).filter((key) => stageOf(state, key)?.status === 'active');
		const again = left.map((key) => `${agentOfStage(key)} (${key})`);
		return left.length === 0 ? null : `Delegate ${list(again)} again: nobody works on it any more.`;
	}
	const broken = awaitingRepair(state);
	if (broken.length > 0) return repair(broken, state);
	const isOwn = (key: string) => isUnclear(state, key) || !needsRepair(key, stageOf(state, key)?.mode);
	const own = next.group ? undefined : next.stages.find((key) => isRerun(state, key) && isOwn(key));
	if (own !== undefined) return `${own} did not pass. Delegate ${agentOfStage(own)} (${own}) again.`;
	const agents = next.stages.map((key) => `${agentOfStage(key)} (${key})`);
	if (next.group) return `Delegate ${list(agents)} in parallel: they are the group ${next.group}.`;
	return `Delegate ${list(agents)} next.`;
}

/** The stages to be done again for which somebody else must repair first, and has not done so since they ended. */
export function awaitingRepair(state: WorkflowState): string[] {
	return unrepaired(
		state,
		nextStages(state).stages.filter((key) => isRerun(state, key) && !isUnclear(state, key)),
	);
}

function isRerun(state: WorkflowState, key: string): boolean {
	return (stageOf(state, key)?.retries ?? 0) > 0;
}

/** Nobody spoke a verdict: there is nothing to repair, only to say. */
function isUnclear(state: WorkflowState, key: string): boolean {
	return stageOf(state, key)?.attempts?.at(-1) === 'unclear';
}

/** A failed test comes before a rejected review; then both run again together. */
function repair(rerun: readonly string[], state: WorkflowState): string {
	const last = (key: string): StageResult | undefined => stageOf(state, key)?.attempts?.at(-1);
	const failed = rerun.filter((key) => last(key) === 'fail');
	const rejected = rerun.filter((key) => last(key) === 'reject');
	const again = list([...failed, ...rejected].map((key) => `${agentOfStage(key)} (${key})`));
	const side = failed.length + rejected.length > 1 ? ' in parallel' : '';
	const reasons = rejected.length > 0 ? ' with the reasons of the rejection' : '';
	const hands = isSearched(state, failed) ? DEVELOPER : `${DEBUGGER} to find the cause, then ${DEVELOPER}`;
	return `${list([...failed, ...rejected])} did not pass. Delegate ${hands}${reasons}, then ${again}${side}.`;
}

/** What a finished stage means for the main agent. */
export function resultHint(state: WorkflowState, stage: string, result: StageResult): string {
	const head = `${stage} ended with ${result.toUpperCase()}.`;
	const next = nextStep(state);
	const optional =
		result === 'issues' ? ' The issues found may be worked on in another round: developer, then retrospective.' : '';
	const grade = result === 'pass' || result === 'issues' ? ' A grader may score the result.' : '';
	const boundary = next === null ? null : compactionHint(state);
	const unsaid = result === 'pass' && stageOf(state, stage)?.source === 'none' ? ' Its agent spoke no verdict.' : '';
	return `${head}${unsaid}${optional} ${next ?? 'All stages are done.'}${grade}${boundary === null ? '' : ` ${boundary}`}`;
}

/**
 * Seed 001: the end of a stage is where the context may be compacted; the main agent decides. Null while agents work,
 * where a person must decide, and where the stage that ended last did not pass: then the agent needs what it has read.
 */
export function compactionHint(state: WorkflowState): string | null {
	const last = lastEnded(state);
	const ended = stageOf(state, last);
	const isDone = ended?.status === 'completed' && !isBadResult(ended.result);
	if (!isRunning(state) || state.fatal || !isDone || Object.keys(state.activeAgents).length > 0) return null;
	return `${last} is done: a good moment to compact the context (/compact) if it is nearly full; handoffs and progress are kept.`;
}

/** One line for the whole workflow: `● PLAN ◐ REVIEW ○ DOCS (2/8)`. */
export function stageLine(state: WorkflowState): string {
	const { done, total } = stageProgress(state);
	const marks = Object.entries(state.stages).map(([key, stage]) => {
		const bad = stage.status === 'completed' && isBadResult(stage.result);
		return `${bad ? '✗' : MARKS[stage.status]} ${printable(key, 40)}`;
	});
	return `${marks.join(' ')} (${done}/${total})`;
}

/** The agents of the stages that take over from a finished one, each once. */
export function receivers(state: WorkflowState, stage: string, result: StageResult): string[] {
	if (result === 'fail' || result === 'reject') {
		const helper = result === 'fail' ? DEBUGGER : DEVELOPER;
		return needsRepair(stage, stageOf(state, stage)?.mode) ? [helper] : [];
	}
	return [...new Set(nextStages(state).stages.map(agentOfStage))];
}

function list(items: readonly string[]): string {
	return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
