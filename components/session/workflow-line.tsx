'use client';
import { isAgentOpen } from '#lib/session/fold-agent.ts';
import { isWorkflowPaused } from '#lib/session/fold-workflow.ts';
import type { AgentView, SessionView, StageView } from '#lib/session/view.ts';
import { lastFailure, standingOf, type WorkflowProgress, workflowProgress } from '#lib/session/workflow-progress.ts';
import { clip } from '#lib/text/printable.ts';
import { LOOP_LIMITS } from '#lib/workflow/loop-fold.ts';
import { stageBase } from '#lib/workflow/stage-keys.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';

const REASON_CHARS = 120;

/** In one line: which stage runs and who works on it, what failed, what comes next, and how far the loop is. */
export function WorkflowLine({ view }: { view: SessionView }) {
	const { workflow, loop } = view;
	if (!workflow) return null;
	const progress = workflowProgress(view);
	return (
		<dl aria-label="Workflow" className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
			<Item name="Now" tone={toneOf(workflow, progress)}>
				{nowOf(view, progress)}
			</Item>
			{progress.failed.length > 0 && (
				<Item name="Failed" tone="text-err">
					{progress.failed.map(failureOf).join('; ')}
				</Item>
			)}
			<Item name="Next">{nextOf(workflow, progress)}</Item>
			<Item name="Done" tone="text-muted">{`${progress.done} of ${progress.total} stages`}</Item>
			{loop && (
				<Item name="Loop" tone="text-muted">
					{[
						loop.endedAt ? `ended${loop.reason ? `: ${loop.reason}` : ''}` : 'on',
						`iteration ${loop.iteration} of ${LOOP_LIMITS.iterations}`,
						loop.progress && `${loop.progress} with tasks`,
					]
						.filter(Boolean)
						.join(' · ')}
				</Item>
			)}
			{workflow.featureName && (
				<Item name="Feature" tone="text-muted">
					{workflow.featureName}
				</Item>
			)}
		</dl>
	);
}

function Item({ name, tone, children }: { name: string; tone?: string; children: string }) {
	return (
		<div className="flex min-w-0 gap-1.5">
			<dt className="text-muted">{name}</dt>
			<dd className={cn('min-w-0 [overflow-wrap:anywhere]', tone)}>
				<AgentText>{children}</AgentText>
			</dd>
		</div>
	);
}

/** `TEST:2 (fail): 3 tests failed`: which stage, how it ended, and why as far as its agent said. */
function failureOf(stage: StageView): string {
	const how = `${stage.key} (${standingOf(stage)})`;
	const reason = lastFailure(stage);
	return reason === undefined ? how : `${how}: ${clip(reason, REASON_CHARS)}`;
}

function toneOf(workflow: SessionView['workflow'], { active }: WorkflowProgress): string {
	if (isWorkflowPaused(workflow)) return 'text-wait';
	if (workflow?.completedAt) return 'text-ok';
	if (workflow?.abortedAt || workflow?.fatal) return 'text-err';
	return active.length > 0 ? 'text-run' : 'text-muted';
}

function nowOf({ workflow, agents }: SessionView, { active }: WorkflowProgress): string {
	if (workflow?.completedAt) return 'complete';
	if (workflow?.abortedAt) return workflow.abortReason ? `aborted: ${workflow.abortReason}` : 'aborted';
	if (workflow?.fatal) return `stopped: ${workflow.fatal.reason}`;
	const isPaused = isWorkflowPaused(workflow);
	const open = agents.filter(isAgentOpen);
	const worksOn = (key: string, { stage }: AgentView): boolean => stage === key || stage === stageBase(key);
	const stages = active.map(({ key }) => {
		const names = open.filter((agent) => worksOn(key, agent)).map(({ name }) => name);
		return names.length > 0 ? `${key} by ${names.join(', ')}` : key;
	});
	const beside = open
		.filter((agent) => !active.some(({ key }) => worksOn(key, agent)))
		.map(({ name }) => `${name} (no stage)`);
	const running = [...stages, ...beside].join(' + ');
	if (isPaused) return running ? `paused by a person; still at work: ${running}` : 'paused by a person';
	return running || 'no stage runs';
}

function nextOf(workflow: NonNullable<SessionView['workflow']>, { next, before, active }: WorkflowProgress): string {
	if (isWorkflowPaused(workflow)) return 'nothing until it is resumed';
	if (workflow.completedAt || workflow.abortedAt) return 'nothing';
	if (workflow.fatal) return 'a person’s word in the terminal';
	if (next.length === 0) return active.length > 0 ? 'the end' : 'nothing';
	const steps = next.join(' + ');
	return before.length > 0 ? `${before.join(', ')}, then ${steps} again` : steps;
}
