import type {
	ActiveAgent,
	StageResult,
	StageState,
	VerdictSource,
	WorkflowState,
} from '../contract/sessions/read-model/workflow-state.ts';
import { defined, isJson, type Json } from '../json/json.ts';
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
	const partial = readResult(stage.partial) ?? undefined;
	const [source, partialSource] = [readSource(stage.source), readSource(stage.partialSource)];
	return {
		status,
		result: readResult(stage.result),
		...defined({
			mode: named,
			startedAt: text(stage.startedAt),
			completedAt: text(stage.completedAt),
			attempts: attempts.length > 0 ? attempts.slice(-50) : undefined,
			retries: count(stage.retries) || undefined,
			again: text(stage.again, MAX_REASON),
			source,
			partial,
			partialSource: partial && partialSource,
		}),
	};
}

function readAgent(value: unknown): ActiveAgent | null {
	const agent = record(value);
	const stage = text(agent?.stage);
	if (!agent || !stage) return null;
	return {
		stage,
		startedAt: text(agent.startedAt) ?? '',
		...defined({ agentId: text(agent.agentId), toolUseId: text(agent.toolUseId, 256) }),
		...(agent.background === true && { background: true }),
	};
}

/** The entries of an object that can be read; undefined if it has none. */
function readEntries<T>(
	value: unknown,
	read: (found: unknown, key: string) => T | null,
): Record<string, T> | undefined {
	const found = entries(value).map(([key, one]) => [key, read(one, key)] as const);
	const readable = found.filter((pair): pair is [string, T] => pair[1] !== null);
	return readable.length > 0 ? Object.fromEntries(readable) : undefined;
}

function readGroup(value: unknown): NonNullable<WorkflowState['groups']>[string] | null {
	const group = record(value);
	if (!group) return null;
	const stages = Array.isArray(group.stages) ? group.stages.filter((one) => typeof one === 'string') : undefined;
	const convergedAt = text(group.convergedAt);
	return { startedAt: text(group.startedAt) ?? '', ...defined({ stages: stages?.slice(0, MAX_STAGES), convergedAt }) };
}

function readEnd(value: unknown): WorkflowState['ended'] {
	const end = record(value);
	if (!end) return undefined;
	const reason = text(end.reason, MAX_REASON);
	return { at: text(end.at) ?? '', how: end.how === 'abort' ? 'abort' : 'complete', ...(reason && { reason }) };
}

/**
 * Reads any program's workflow.json. Never throws: null is no workflow; wrong fields are absent, missing stages those of its
 * type.
 */
export function readWorkflowState(value: unknown, sessionId: string): WorkflowState | null {
	const file = record(value);
	const workflowType = text(file?.workflowType, MAX_TYPE);
	if (!file || !workflowType) return null;
	const keys = entries(file.stages).map(([key]) => key);
	const stages =
		readEntries(file.stages, (stage, key) => readStage(stage, stageMode(keys, key))) ?? freshStages(workflowType);
	const current = text(file.currentStage);
	const fatal = record(file.fatal);
	const paused = record(file.paused);
	return {
		sessionId,
		workflowType,
		createdAt: text(file.createdAt) ?? '',
		currentStage: current !== undefined && Object.hasOwn(stages, current) ? current : null,
		stages,
		activeAgents: readEntries(file.activeAgents, readAgent) ?? {},
		failCount: count(file.failCount),
		rejectCount: count(file.rejectCount),
		retroCount: count(file.retroCount),
		...defined({
			unclearCount: count(file.unclearCount) || undefined,
			featureName: text(file.featureName, MAX_FEATURE),
			guessedCalls: readEntries(file.guessedCalls, (call) => text(call, 256) ?? null),
			helpedAt: readEntries(file.helpedAt, (at, agent) => (isHelper(agent) ? (text(at) ?? null) : null)),
			groups: readEntries(file.groups, readGroup),
			ended: readEnd(file.ended),
		}),
		...(fatal && { fatal: { at: text(fatal.at) ?? '', reason: text(fatal.reason, MAX_REASON) ?? '' } }),
		...(paused && { paused: { at: text(paused.at) ?? '' } }),
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
