import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { clip, printable } from '../text/printable.ts';
import { compactionHint, nextStep, stageLine } from './next-step.ts';
import { isWorkflowType, workflows } from './registry.ts';
import { agentOfKey, isPaused, isRunning } from './workflow-state.ts';

const RECOVERY_CHARS = 2000;

/** What the model must know after its context was compacted. `handoffs` is the folder where it can read them again. */
export function recoveryMessage(state: WorkflowState | null, pending: string | null, handoffs: string): string | null {
	if (!isRunning(state)) return null;
	const counts = [
		['failed', state.failCount],
		['rejected', state.rejectCount],
	].filter(([, count]) => count !== 0);
	const active = Object.entries(state.activeAgents).map(([key, one]) => `${agentOfKey(key)} (${one.stage})`);
	const lines = [
		`Workflow ${state.workflowType} is ${isPaused(state) ? 'paused' : 'in progress'}.`,
		stageLine(state),
		`Current stage: ${state.currentStage ?? 'none'}`,
		...(counts.length > 0 ? [counts.map(([word, count]) => `${word}: ${count}`).join(', ')] : []),
		...(active.length > 0 ? [`At work: ${active.join(', ')}`] : []),
		...(state.featureName ? [`Feature: ${printable(state.featureName, 100)}`] : []),
		nextStep(state) ?? '',
		`Handoffs, to be read again: ${handoffs}`,
		...(pending === null ? [] : [pending]),
	];
	return clip(lines.filter((line) => line !== '').join('\n'), RECOVERY_CHARS);
}

/** A recovery message with more text, cut to what a client takes. */
export function clipRecovery(message: string, more: string | null): string {
	return more === null ? message : clip(`${message}\n${more}`, RECOVERY_CHARS);
}

/** `points`: to a workflow, so the person sees it too. */
export interface PromptContext {
	text: string;
	points: boolean;
	once?: true;
}

export type Guide = 'skills' | 'command' | null;

/** Null for a prompt that calls a workflow command itself. */
export function promptContext(prompt: string, state: WorkflowState | null, guide: Guide): PromptContext | null {
	if (prompt.trimStart().startsWith('/ot:')) return null;
	const named = overrideOf(prompt);
	if (named) {
		const run = guide === 'skills' ? `run /ot:${named}` : `it is started by \`signalbox workflow start ${named}\``;
		const text = `⛔ MUST: the person asks for the workflow ${named} (${workflows[named].label}): ${run}.`;
		return { text, points: true };
	}
	if (isRunning(state)) return { text: progressContext(prompt, state), points: false };
	if (guide === null || isTaskNotice(prompt)) return null;
	if (guide === 'command') return { text: OPEN_FEATURES, points: false, once: true };
	const text = [
		'⛔ MUST: read /ot:auto before the first step. It chooses the workflow for this request;',
		'the workflow says which agents to delegate to and in which order. Do not write code yourself.',
	].join(' ');
	return { text, points: true };
}

const OPEN_FEATURES = [
	'A feature of this project is in progress and no workflow runs in this session. If the request belongs to it, work through',
	'the open boxes of its tasks.md in specs/features/in-progress and tick each when it is done. A person starts a workflow for it',
	'with `signalbox workflow start TYPE --feature NAME`.',
].join(' ');

function isTaskNotice(prompt: string): boolean {
	return prompt.trimStart().startsWith('<task-notification>');
}

/** `[workflow:key]` */
function overrideOf(prompt: string): keyof typeof workflows | undefined {
	const key = /\[workflow:\s*([a-z0-9-]{1,40})\s*\]/iu.exec(prompt)?.[1]?.toLowerCase();
	return isWorkflowType(key) ? key : undefined;
}

function progressContext(prompt: string, state: WorkflowState): string {
	const feature = state.featureName ? ` for the feature ${printable(state.featureName, 100)}` : '';
	return [
		`Workflow ${state.workflowType}${feature} is ${isPaused(state) ? 'paused' : 'in progress'}: ${stageLine(state)}`,
		nextStep(state),
		isTaskNotice(prompt) ? compactionHint(state) : null,
	]
		.filter((line) => line !== null)
		.join('\n');
}
