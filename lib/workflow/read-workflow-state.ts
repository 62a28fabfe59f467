import type {
	ActiveAgent,
	StageResult,
	StageState,
	VerdictSource,
	WorkflowState,
} from '../contract/sessions/read-model/workflow-state.ts';
import { isJson, type Json } from '../json/json.ts';
import { isHelper } from './next-step.ts';
import { isWorkflowType, stageKeys, stageMode, workflows } from './registry.ts';

/** Foreign files name as many stages as they like. */
export const MAX_STAGES = 60;
export const MAX_REASON = 1000;
export const MAX_TYPE = 64;
export const MAX_FEATURE = 100;
const RESULTS: readonly unknown[] = ['pass', 'fail', 'reject', 'issues', 'unclear'];
const SOURCES: readonly unknown[] = ['comment', 'line', 'words', 'none'];

const record = (value: unknown): Json | null => (isJson(value) ? value : null);
const text = (value: unknown, max = 200): string | undefined =>
	typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
const count = (value: unknown): number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
const entries = (value: unknown): [string, unknown][] =>
	Object.entries(record(value) ?? {})
		.filter(([key]) => key !== '__proto__')
		.slice(0, MAX_STAGES);

export function readResult(value: unknown): StageResult | null {
	return RESULTS.includes(value) ? (value as StageResult) : null;
}

export function readSource(value: unknown): VerdictSource | undefined {
	return SOURCES.includes(value) ? (value as VerdictSource) : undefined;
}

function readStage(value: unknown, mode: StageState['mode']): StageState | null {
	const stage = record(value);
	if (!stage) return null;
	const status = stage.status === 'active' || stage.status === 'completed' ? stage.status : 'pending';
	const named = stage.mode === 'spec' || stage.mode === 'verify' ? stage.mode : mode;
	const attempts = Array.isArray(stage.attempts) ? stage.attempts.map(readResult).filter((one) => one !== null) : [];
	const partial = readResult(stage.partial);
	const [source, partialSource] = [readSource(stage.source), readSource(stage.partialSource)];
	return {
		status,
		result: readResult(stage.result),
		...(named && { mode: named }),
		...(text(stage.startedAt) && { startedAt: text(stage.startedAt) }),
		...(text(stage.completedAt) && { completedAt: text(stage.completedAt) }),
		...(attempts.length > 0 && { attempts: attempts.slice(-50) }),
		...(count(stage.retries) > 0 && { retries: count(stage.retries) }),
		...(text(stage.again, MAX_REASON) && { again: text(stage.again, MAX_REASON) }),
		...(source && { source }),
		...(partial && { partial }),
		...(partial && partialSource && { partialSource }),
	};
}

function readAgent(value: unknown): ActiveAgent | null {
	const agent = record(value);
	const stage = text(agent?.stage);
	if (!agent || !stage) return null;
	return {
		stage,
		startedAt: text(agent.startedAt) ?? '',
		...(text(agent.agentId) && { agentId: text(agent.agentId) }),
		...(text(agent.toolUseId, 256) && { toolUseId: text(agent.toolUseId, 256) }),
		...(agent.background === true && { background: true }),
	};
}

function defined<T>(pairs: [string, T | null][]): Record<string, T> {
	return Object.fromEntries(pairs.filter((pair): pair is [string, T] => pair[1] !== null));
}

function readGroups(value: unknown): WorkflowState['groups'] {
	const groups = entries(value).map(([name, found]): [string, NonNullable<WorkflowState['groups']>[string] | null] => {
		const group = record(found);
		if (!group) return [name, null];
		const convergedAt = text(group.convergedAt);
		const stages = Array.isArray(group.stages) ? group.stages.filter((one) => typeof one === 'string') : undefined;
		return [
			name,
			{
				...(stages && { stages: stages.slice(0, MAX_STAGES) }),
				startedAt: text(group.startedAt) ?? '',
				...(convergedAt && { convergedAt }),
			},
		];
	});
	return groups.length > 0 ? defined(groups) : undefined;
}

function readEnd(value: unknown): WorkflowState['ended'] {
	const end = record(value);
	if (!end) return undefined;
	const reason = text(end.reason, MAX_REASON);
	return { at: text(end.at) ?? '', how: end.how === 'abort' ? 'abort' : 'complete', ...(reason && { reason }) };
}

/**
 * Reads a workflow.json, ours, Overtone's or one edited by hand. Never throws: null for no workflow; wrong fields are
 * absent, and without stages it has those of its type.
 */
export function readWorkflowState(value: unknown, sessionId: string): WorkflowState | null {
	const file = record(value);
	const workflowType = text(file?.workflowType, MAX_TYPE);
	if (!file || !workflowType) return null;
	const keys = entries(file.stages).map(([key]) => key);
	const stages = defined(
		entries(file.stages).map(([key, stage]): [string, StageState | null] => [
			key,
			readStage(stage, stageMode(keys, key)),
		]),
	);
	const known = Object.keys(stages).length > 0 ? stages : freshStages(workflowType);
	const current = text(file.currentStage);
	const groups = readGroups(file.groups);
	const ended = readEnd(file.ended);
	const fatal = record(file.fatal);
	const paused = record(file.paused);
	const featureName = text(file.featureName, MAX_FEATURE);
	const helped = entries(file.helpedAt).map(([agent, at]): [string, string | null] => [
		agent,
		isHelper(agent) ? (text(at) ?? null) : null,
	]);
	const helpedAt = defined(helped);
	const guesses = entries(file.guessedCalls).map(([id, call]): [string, string | null] => [
		id,
		text(call, 256) ?? null,
	]);
	return {
		sessionId,
		workflowType,
		createdAt: text(file.createdAt) ?? '',
		currentStage: current !== undefined && Object.hasOwn(known, current) ? current : null,
		stages: known,
		activeAgents: defined(entries(file.activeAgents).map(([key, agent]) => [key, readAgent(agent)])),
		...(guesses.length > 0 && { guessedCalls: defined(guesses) }),
		failCount: count(file.failCount),
		rejectCount: count(file.rejectCount),
		retroCount: count(file.retroCount),
		...(count(file.unclearCount) > 0 && { unclearCount: count(file.unclearCount) }),
		...(featureName && { featureName }),
		...(Object.keys(helpedAt).length > 0 && { helpedAt }),
		...(groups && { groups }),
		...(fatal && { fatal: { at: text(fatal.at) ?? '', reason: text(fatal.reason, MAX_REASON) ?? '' } }),
		...(paused && { paused: { at: text(paused.at) ?? '' } }),
		...(ended && { ended }),
	};
}

/** The given stages, which may repeat names, or the type's own. */
export function freshStages(workflowType: string, list?: readonly string[]): Record<string, StageState> {
	const named = list ?? (isWorkflowType(workflowType) ? workflows[workflowType].stages : []);
	const keys = stageKeys(named.slice(0, MAX_STAGES)).filter((key) => key !== '__proto__');
	return Object.fromEntries(
		keys.map((key) => {
			const mode = stageMode(keys, key);
			return [key, { status: 'pending', result: null, ...(mode && { mode }) } satisfies StageState];
		}),
	);
}
