import { useEffect, useRef } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import {
	failureOf,
	groupsIn,
	isWorkflowLeft,
	leftOpenLook,
	pipelineSteps,
	type StageView,
	stageInFocus,
	stageLooks,
	stageProgress,
	stagesOf,
} from '#lib/session/workflow-progress.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ToneGlyph } from '../ui/tone.tsx';

type PipelineView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'ended' | 'lost'>;

/** With more steps than this, only those around the relevant stage are rendered; thousands would freeze the page. */
const MAX_STEPS = 120;
/** Width (px) in which the strip fades out at its ends. */
const FADE_PX = 16;

/** The stages in one line, parallel groups as boxes; scrolls to the relevant one if they do not fit. */
export function StagePipeline({ view }: { view: PipelineView }) {
	const say = useSay();
	const list = useRef<HTMLOListElement>(null);
	const all = stagesOf(view.workflow);
	const inFocus = stageInFocus(all);
	const focus = inFocus?.key;
	const status = inFocus && pipelineEnd(view) === undefined ? stageProgress(inFocus) : undefined;
	useEffect(() => {
		// A running stage is wider, so scroll again when its status changes.
		const item = focus !== undefined && status !== undefined ? list.current?.querySelector('[data-focus]') : null;
		if (!list.current || !item) return;
		// The step before is seen whole where both fit: a cut name at the start reads like another stage.
		const step = item.closest('li');
		const before = step?.previousElementSibling ?? step;
		const [itemBox, frame] = [item.getBoundingClientRect(), list.current.getBoundingClientRect()];
		const start = before?.getBoundingClientRect().left ?? itemBox.left;
		const first = itemBox.right - start <= frame.width ? start : itemBox.left;
		list.current.scrollLeft += first - frame.left - FADE_PX;
	}, [focus, status]);
	if (all.length === 0 || isWorkflowLeft(view)) return null;
	const steps = pipelineSteps(all, groupsIn(view.workflow));
	const middle = steps.findIndex(({ stages }) => stages.some(({ key }) => key === focus));
	const from = steps.length > MAX_STEPS ? Math.max(0, Math.min(middle - MAX_STEPS / 2, steps.length - MAX_STEPS)) : 0;
	const shown = steps.slice(from, from + MAX_STEPS);
	const after = steps.length - from - shown.length;
	return (
		<ol
			ref={list}
			aria-label={say('Stages')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the list scrolls and must be reachable by keyboard.
			tabIndex={0}
			className="base-ui-disable-scrollbar fade-ends relative flex h-9 min-w-0 flex-1 items-center gap-x-1 overflow-x-auto whitespace-nowrap px-4 md:-mx-4 md:h-8"
		>
			{from > 0 && <li className="text-muted">{say('{count} before', { count: from })}</li>}
			{shown.map(({ group, stages }) => (
				<li key={stages[0]?.key} className="flex items-center">
					{group === null ? (
						stages.map((stage) => <Stage key={stage.key} stage={stage} view={view} inFocus={stage.key === focus} />)
					) : (
						<span className="flex items-center gap-x-1 rounded border border-edge border-dashed px-0.5">
							<span className="sr-only">
								<Phrase of="parallel group {name}:" with={{ name: <AgentText>{group}</AgentText> }} />
							</span>
							{stages.map((stage) => (
								<Stage key={stage.key} stage={stage} view={view} inFocus={stage.key === focus} />
							))}
						</span>
					)}
				</li>
			))}
			{after > 0 && <li className="text-muted">{say('{count} after', { count: after })}</li>}
		</ol>
	);
}

function Stage({ stage, view, inFocus }: { stage: StageView; view: PipelineView; inFocus: boolean }) {
	const say = useSay();
	const status = stageProgress(stage);
	const overAt = pipelineEnd(view);
	const isActive = status === 'active' && overAt === undefined;
	const { word, tone } = status === 'active' && !isActive ? leftOpenLook : stageLooks[status];
	const { key, mode, startedAt, completedAt, retries = 0 } = stage;
	const isBad = tone === 'err' || tone === 'warn';
	const took =
		startedAt && completedAt ? spanDuration(Date.parse(completedAt) - Date.parse(startedAt), say.language) : '';
	const about = [isBad ? failureOf(stage, say) : `${key} ${say(word)}`, mode, took].filter(Boolean).join(' · ');
	return (
		<span
			data-focus={inFocus || undefined}
			aria-current={isActive ? 'step' : undefined}
			title={visibleString(about)}
			className={cn(
				'inline-flex h-6 items-center gap-1 rounded border border-transparent px-1',
				isActive && 'border-run bg-selected',
				tone === 'err' && 'border-err',
			)}
		>
			<ToneGlyph tone={tone} />
			<AgentText className={isActive ? 'font-medium' : isBad ? '' : 'text-muted'}>{key}</AgentText>
			<span className="sr-only">{say(word)}</span>
			{isActive && <LiveDuration className="text-muted max-md:hidden" from={startedAt} />}
			{retries > 0 && <span className="text-small text-warn">{say('retry {retries}', { retries })}</span>}
		</span>
	);
}

/** Time after which no stage can run: the end of the workflow, else of the session. */
const pipelineEnd = ({ workflow, ended, lost }: PipelineView): string | undefined =>
	(workflow?.ended ?? ended ?? lost)?.at;
