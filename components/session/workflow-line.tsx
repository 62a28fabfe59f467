import type { ReactNode } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import type { Say } from '#lib/messages/say.ts';
import { progressWords } from '#lib/session/row.ts';
import {
	isWorkflowLeft,
	nextOf,
	nowOf,
	type WorkflowPart,
	type WorkflowProgress,
	workflowProgress,
} from '#lib/session/workflow-progress.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { LOOP_LIMITS } from '#lib/workflow/loop-fold.ts';
import { isPaused } from '#lib/workflow/workflow-state.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/**
 * What a workflow does now, its stages (`children`) and what is next. A screen reader gets all three; on screen the stages alone
 * are enough in most states. Gone once a person asks for something else after its end.
 */
export function WorkflowLine({ view, children }: { view: WorkflowPart; children: ReactNode }) {
	const say = useSay();
	const { workflow } = view;
	if (!workflow || isWorkflowLeft(view)) return null;
	const isOver = workflow.ended !== undefined;
	const hasStopped = isOver || workflow.fatal !== undefined || isPaused(workflow);
	// The ticks of its stages say that a workflow is complete.
	const isNowShown = hasStopped && workflow.ended?.how !== 'complete';
	const progress = workflowProgress(view);
	const now = nowOf(view, progress, say);
	// The stages show which one is next, unless something else has to happen first.
	const isNextShown = hasStopped || progress.before.length > 0;
	return (
		<dl
			aria-label={say('Workflow')}
			className="flex min-w-0 items-center gap-x-3 max-md:order-3 max-md:-mx-4 max-md:basis-[calc(100%+2rem)] md:max-w-[75%]"
		>
			<div
				className={cn('min-w-0 max-w-64 shrink-0 truncate max-md:shrink max-md:pl-4', isNowShown || 'sr-only')}
				title={visibleString(now)}
			>
				<dt className="sr-only">{isOver ? say('Workflow') : say('Now')}</dt>
				<dd className={cn('truncate', toneOf(workflow, progress))}>
					<AgentText>{now}</AgentText>
				</dd>
			</div>
			<div className="flex min-w-0 flex-1">
				<dt className="sr-only">{say('Stages')}</dt>
				<dd className="flex min-w-0 flex-1">{children}</dd>
			</div>
			{!isOver && (
				<div
					className={cn('flex max-w-56 shrink-0 gap-1.5 truncate text-muted max-lg:hidden', !isNextShown && 'sr-only')}
				>
					<dt>{say('Next')}</dt>
					<dd className="truncate text-text">
						<AgentText>{nextOf(workflow, progress, say)}</AgentText>
					</dd>
				</div>
			)}
		</dl>
	);
}

/** Progress of a workflow's loop in words; undefined if none is running. */
export function loopWords({ loop, workflow }: Pick<SessionView, 'loop' | 'workflow'>, say: Say): string | undefined {
	if (!loop || workflow?.ended) return undefined;
	const nth = say('iteration {nth} of {max}', { nth: loop.iteration, max: LOOP_LIMITS.iterations });
	return [loopWord(loop, say), nth, say.sentence(progressWords(loop))].filter(Boolean).join(' · ');
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
