'use client';
import { useEffect, useRef } from 'react';
import { isWorkflowLeft } from '#lib/session/fold-workflow.ts';
import type { SessionView } from '#lib/session/view.ts';
import { groupsIn, type StageView, stageInFocus, stagesOf, standingOf } from '#lib/session/workflow-progress.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { pipelineSteps } from './pipeline-steps.ts';
import { leftOpenLook, stageLooks } from './stage-looks.ts';

type PipelineView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'ended' | 'lost'>;

const MARGIN_PX = 24;

/**
 * The workflow's stages in order, a parallel group as one box, each with its state, mode, time and retries. Where they
 * do not fit, in one line on narrow screens and in four on others, the one that matters now is scrolled to.
 */
export function StagePipeline({ view }: { view: PipelineView }) {
	const say = useSay();
	const list = useRef<HTMLOListElement>(null);
	const all = stagesOf(view.workflow);
	const inFocus = stageInFocus(all);
	const focus = inFocus?.key;
	const standing = inFocus && standingOf(inFocus);
	useEffect(() => {
		// A stage takes more room once it runs, so its standing counts too.
		const item = focus !== undefined && standing !== undefined ? list.current?.querySelector('[data-focus]') : null;
		if (!list.current || !item) return;
		const [place, frame] = [item.getBoundingClientRect(), list.current.getBoundingClientRect()];
		list.current.scrollLeft += place.left - frame.left - MARGIN_PX;
		list.current.scrollTop += place.top - frame.top - MARGIN_PX;
	}, [focus, standing]);
	if (all.length === 0 || isWorkflowLeft(view)) return null;
	return (
		<ol
			ref={list}
			aria-label={say('Stages')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the list scrolls and must be reachable by keyboard.
			tabIndex={0}
			className="scroll-hint relative flex shrink-0 items-center gap-x-1.5 gap-y-1 overflow-x-auto whitespace-nowrap py-0.5 md:max-h-28 md:flex-wrap"
		>
			{pipelineSteps(all, groupsIn(view.workflow)).map(({ group, stages }, at) => (
				<li key={stages[0]?.key} className="flex items-center gap-1.5">
					{at > 0 && (
						<span aria-hidden className="text-muted">
							›
						</span>
					)}
					{group === null ? (
						stages.map((stage) => <Stage key={stage.key} stage={stage} view={view} inFocus={stage.key === focus} />)
					) : (
						<span className="flex items-center gap-1 rounded border border-edge border-dashed px-1">
							<span className="sr-only">
								<Phrase of="parallel group {name}:" with={{ name: <AgentText>{group}</AgentText> }} />
							</span>
							{stages.map((stage, place) => (
								<span key={stage.key} className="flex items-center gap-1">
									{place > 0 && (
										<span aria-hidden className="text-muted">
											‖
										</span>
									)}
									<Stage stage={stage} view={view} inFocus={stage.key === focus} />
								</span>
							))}
						</span>
					)}
				</li>
			))}
		</ol>
	);
}

function Stage({ stage, view, inFocus }: { stage: StageView; view: PipelineView; inFocus: boolean }) {
	const say = useSay();
	const standing = standingOf(stage);
	const overAt = endOf(view);
	const isActive = standing === 'active' && overAt === undefined;
	const { word, tone } = standing === 'active' && !isActive ? leftOpenLook : stageLooks[standing];
	const { key, mode, startedAt, completedAt, retries = 0 } = stage;
	return (
		<span
			data-focus={inFocus || undefined}
			aria-current={isActive ? 'step' : undefined}
			className={cn(
				'inline-flex items-baseline gap-1 rounded border border-transparent px-1',
				isActive && 'border-run bg-selected',
			)}
		>
			<span aria-hidden className={toneText[tone]}>
				{toneGlyph[tone]}
			</span>
			<AgentText className={cn('font-medium', standing === 'pending' && 'text-muted')}>{key}</AgentText>
			{mode && <AgentText className="text-muted">{mode}</AgentText>}
			<span className={cn(toneText[tone], standing === 'pending' && 'sr-only')}>{say(word)}</span>
			{startedAt && (
				<span className="text-muted">
					<LiveDuration from={startedAt} to={isActive ? undefined : standing === 'active' ? overAt : completedAt} />
				</span>
			)}
			{retries > 0 && <span className="text-warn">{say('retry {retries}', { retries })}</span>}
		</span>
	);
}

/** Since when no stage can run any more: the workflow's end, else the session's. */
function endOf({ workflow, ended, lost }: PipelineView): string | undefined {
	return (workflow?.ended ?? ended ?? lost)?.at;
}
