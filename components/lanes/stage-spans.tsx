import type { SessionView } from '#lib/session/view.ts';
import { type StageStanding, stagesOf, standingOf } from '#lib/session/workflow-progress.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { stageLooks } from '../session/stage-looks.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

interface StageSpan extends Span {
	stage: string;
	standing: StageStanding;
	isRunning: boolean;
}

/** The last run of each stage that began. */
export function stageSpans({ workflow }: Pick<SessionView, 'workflow'>, now: number): StageSpan[] {
	return stagesOf(workflow).flatMap((stage) => {
		const standing = standingOf(stage);
		const isRunning = standing === 'active';
		// Of a run whose agents were lost nobody knows the end.
		if (!stage.startedAt || (!isRunning && !stage.completedAt)) return [];
		const from = Date.parse(stage.startedAt);
		const to = isRunning || !stage.completedAt ? now : Date.parse(stage.completedAt);
		return [{ stage: stage.key, standing, isRunning, from, to: Math.max(from, to) }];
	});
}

/** The stages above the lanes, from the first loaded row (ms) on. */
export function StageSpans({ spans, scale, first }: { spans: readonly StageSpan[]; scale: TimeScale; first: number }) {
	return (
		<ul aria-label="Stages over time" className="relative h-6">
			{spans
				.filter(({ to }) => to >= first)
				.map(({ stage, standing, isRunning, from, to }) => {
					const { word, tone } = stageLooks[standing];
					const left = Math.min(scale.toX(from), scale.width - 4);
					return (
						<li
							key={stage}
							title={visibleString(`${stage} ${word}`)}
							className={cn(
								'absolute top-0.5 h-5 overflow-hidden whitespace-nowrap rounded-xs border border-current bg-raised px-1 text-small leading-4',
								toneText[tone],
								isRunning && 'border-dashed',
							)}
							style={{ left, width: Math.max(4, scale.toX(to) - left) }}
						>
							<span aria-hidden>{toneGlyph[tone]} </span>
							<AgentText>{stage}</AgentText>
							<span className="sr-only"> {word}</span>
						</li>
					);
				})}
		</ul>
	);
}
