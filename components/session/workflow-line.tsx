'use client';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import type { Say } from '#lib/messages/say.ts';
import { isWorkflowLeft } from '#lib/session/fold-workflow.ts';
import { progressWords } from '#lib/session/progress-words.ts';
import type { SessionView } from '#lib/session/view.ts';
import { type WorkflowPart, type WorkflowProgress, workflowProgress } from '#lib/session/workflow-progress.ts';
import { LOOP_LIMITS } from '#lib/workflow/loop-fold.ts';
import { isPaused } from '#lib/workflow/workflow-state.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { FeatureLink } from './feature-link.tsx';
import { failureOf, nextOf, nowOf } from './workflow-words.ts';

/**
 * In one line: which stage runs and who works on it, what failed, what comes next, and how far the loop is. One that
 * ended says so, and goes away when a person asks for something else.
 */
export function WorkflowLine({ view }: { view: WorkflowPart & Pick<SessionView, 'loop'> }) {
	const say = useSay();
	const { workflow, loop } = view;
	if (!workflow || isWorkflowLeft(view)) return null;
	const isOver = workflow.ended !== undefined;
	const progress = workflowProgress(view);
	return (
		<dl aria-label={say('Workflow')} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
			<Item name={isOver ? say('Workflow') : say('Now')} tone={toneOf(workflow, progress)}>
				{nowOf(view, progress, say)}
			</Item>
			{progress.failed.length > 0 && (
				<Item name={say('Failed')} tone="text-err">
					{progress.failed.map((stage) => failureOf(stage, say)).join('; ')}
				</Item>
			)}
			{!isOver && <Item name={say('Next')}>{nextOf(workflow, progress, say)}</Item>}
			<Item name={say('Done')} tone="text-muted">
				{say('{done} of {total} stages', { done: progress.done, total: progress.total })}
			</Item>
			{loop && !isOver && (
				<Item name={say('Loop')} tone="text-muted">
					{[
						loopWord(loop, say),
						say('iteration {nth} of {max}', { nth: loop.iteration, max: LOOP_LIMITS.iterations }),
						progressWords(loop, say),
					]
						.filter(Boolean)
						.join(' · ')}
				</Item>
			)}
			{workflow.featureName && (
				<div className="flex min-w-0 gap-1.5">
					<dt className="text-muted">{say('Feature')}</dt>
					<dd className="min-w-0 text-muted [overflow-wrap:anywhere]">
						<FeatureLink sessionId={view.sessionId} name={workflow.featureName} />
					</dd>
				</div>
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

function loopWord({ endedAt, reason }: { endedAt?: string; reason?: string }, say: Say): string {
	if (!endedAt) return say('on');
	return reason ? say('ended: {reason}', { reason }) : say('ended');
}

function toneOf(workflow: WorkflowState, { active }: WorkflowProgress): string {
	if (isPaused(workflow)) return 'text-wait';
	if (workflow.ended) return workflow.ended.how === 'complete' ? 'text-ok' : 'text-muted';
	if (workflow.fatal) return 'text-err';
	return active.length > 0 ? 'text-run' : 'text-muted';
}
