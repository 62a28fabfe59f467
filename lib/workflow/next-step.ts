import type { StageResult, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { printable } from '../text/printable.ts';
import { DEBUGGER, groupsOf, type StageName, stageBase, stageOfAgent, stages, type WorkflowGroup } from './registry.ts';
import { agentOfKey, isBadResult, isPaused, isRunning, keysOfBase, stageOf } from './workflow-state.ts';

/** One stage, or the open stages of one parallel group. */
interface NextStages {
	stages: string[];
	group?: string;
}

/** Empty once every stage was begun. */
export function nextStages(state: WorkflowState): NextStages {
	const first = Object.keys(state.stages).find((key) => isPending(state, key));
	if (first === undefined) return { stages: [] };
	const group = groupOf(state, first);
	if (!group) return { stages: [first] };
	const open = group.stages.filter((key) => isPending(state, key));
	return open.length > 1 ? { stages: open, group: group.name } : { stages: [first] };
}

export function groupOf(state: WorkflowState, key: string): WorkflowGroup | undefined {
	return groupsOf(state.workflowType).find((group) => group.stages.includes(key));
}

/** The agent's first stage that is not completed, else its last, which then runs again. */
export function stageForAgent(state: WorkflowState, agent: string): string | undefined {
	const base = stageOfAgent(agent);
	const keys = base === undefined ? [] : keysOfBase(state, base);
	return keys.find((key) => stageOf(state, key)?.status !== 'completed') ?? keys.at(-1);
}

/** Pending stages that come before this one, except those of its own parallel group. */
export function skippedBy(state: WorkflowState, key: string): string[] {
	const keys = Object.keys(state.stages);
	const beside = groupOf(state, key)?.stages ?? [];
	return keys.slice(0, Math.max(0, keys.indexOf(key))).filter((one) => isPending(state, one) && !beside.includes(one));
}

/** The key itself for a stage that is not ours. */
export function agentOfStage(key: string): string {
	const base = stageBase(key);
	return Object.hasOwn(stages, base) ? stages[base as StageName].agent : base.toLowerCase();
}

/** The stage's group if all members ended well and it did not converge before. */
export function convergedGroup(state: WorkflowState, key: string): string | undefined {
	const group = groupOf(state, key);
	if (!group || state.groups?.[group.name]?.convergedAt) return undefined;
	const well = group.stages.every((one) => {
		const stage = stageOf(state, one);
		return stage?.status === 'completed' && !isBadResult(stage.result);
	});
	return well ? group.name : undefined;
}

export function lastEnded(state: WorkflowState): string | undefined {
	return Object.entries(state.stages)
		.filter(([, stage]) => stage.completedAt !== undefined)
		.sort(([, a], [, b]) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? -1 : 1))
		.at(-1)?.[0];
}

export function stageProgress(state: WorkflowState): { done: number; total: number } {
	const all = Object.values(state.stages);
	return { done: all.filter((stage) => stage.status === 'completed').length, total: all.length };
}

export function failedStages(state: WorkflowState): string[] {
	const bad = ({ status, result }: WorkflowState['stages'][string]): boolean =>
		status === 'completed' && isBadResult(result);
	return Object.entries(state.stages).flatMap(([key, stage]) => (bad(stage) ? [key] : []));
}

function isPending(state: WorkflowState, key: string): boolean {
	return stageOf(state, key)?.status === 'pending';
}

const JUDGES: readonly string[] = ['REVIEW', 'SECURITY', 'DB-REVIEW', 'TEST', 'QA', 'E2E'];

/** Repairs what a stage did not let pass, in workflows without a DEV stage too. */
export const DEVELOPER = stages.DEV.agent;

/** Helpers are those whose end is recorded (`helpedAt`), so that they are not requested twice. */
export function isHelper(agent: string): boolean {
	return agent === DEBUGGER || agent === DEVELOPER;
}

/** A stage that judges others' work waits for their repair; any other repeats its own, as TEST does before DEV. */
function needsRepair(key: string, mode: string | undefined): boolean {
	return JUDGES.includes(stageBase(key)) && mode !== 'spec';
}

function unrepaired(state: WorkflowState, keys: readonly string[]): string[] {
	const waiting = keys.filter((key) => needsRepair(key, stageOf(state, key)?.mode));
	const repairs = [stageOf(state, 'DEV')?.completedAt, state.helpedAt?.[DEVELOPER]];
	return waiting.every((key) => repairs.some((at) => isAfter(state, key, at))) ? [] : waiting;
}

/** Whether a debugger has worked since all of these stages ended. */
export function isSearched(state: WorkflowState, keys: readonly string[]): boolean {
	return keys.every((key) => isAfter(state, key, state.helpedAt?.[DEBUGGER]));
}

function isAfter(state: WorkflowState, key: string, at: string | undefined): boolean {
	return at !== undefined && (stageOf(state, key)?.completedAt ?? '') < at;
}

const MARKS = { pending: '○', active: '◐', completed: '●' } as const;

/** One instruction for the main agent; null if nothing is left to do. */
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

/** Stages to run again, as long as what they objected to has not been repaired. */
export function awaitingRepair(state: WorkflowState): string[] {
	return unrepaired(
		state,
		nextStages(state).stages.filter((key) => isRerun(state, key) && !isUnclear(state, key)),
	);
}

function isRerun(state: WorkflowState, key: string): boolean {
	return (stageOf(state, key)?.retries ?? 0) > 0;
}

/** Without a verdict there is nothing to repair, only to report. */
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

/** What the main agent reads when a stage has ended: the result and the next step. */
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

/** Suggests compacting between stages. Null while agents work, a person must decide, or the last stage has to be repaired. */
export function compactionHint(state: WorkflowState): string | null {
	const last = lastEnded(state);
	const ended = stageOf(state, last);
	const isDone = ended?.status === 'completed' && !isBadResult(ended.result);
	if (!isRunning(state) || state.fatal || !isDone || Object.keys(state.activeAgents).length > 0) return null;
	return `${last} is done: a good moment to compact the context (/compact) if it is nearly full; handoffs and progress are kept.`;
}

/** `● PLAN ◐ DEV ○ TEST (1/3)` */
export function stageLine(state: WorkflowState): string {
	const { done, total } = stageProgress(state);
	const marks = Object.entries(state.stages).map(([key, stage]) => {
		const bad = stage.status === 'completed' && isBadResult(stage.result);
		return `${bad ? '✗' : MARKS[stage.status]} ${printable(key, 40)}`;
	});
	return `${marks.join(' ')} (${done}/${total})`;
}

/** The agents that get the stage's handoff: its repairer, or those of the next stages. */
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
