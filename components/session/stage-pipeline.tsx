import { stageState } from '#lib/session/summarise.ts';
import type { SessionView, StageView } from '#lib/session/view.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { pipelineSteps } from './pipeline-steps.ts';

const looks = {
	pending: { word: '', tone: 'text-muted' },
	active: { word: 'running', tone: 'text-run' },
	done: { word: 'ok', tone: 'text-ok' },
	failed: { word: 'failed', tone: 'text-err' },
} as const;

/** The workflow's stages in order, parallel ones in braces, each with its state, time and retries. */
export function StagePipeline({ view }: { view: Pick<SessionView, 'stages' | 'groups'> }) {
	if (view.stages.length === 0) return null;
	return (
		<ol
			aria-label="Stages"
			// biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the list scrolls and must be reachable by keyboard.
			tabIndex={0}
			className="flex items-center gap-x-2 gap-y-0.5 overflow-x-auto whitespace-nowrap md:flex-wrap"
		>
			{pipelineSteps(view.stages, view.groups).map(({ group, stages }, at) => (
				<li key={stages[0]?.key} className="flex items-center gap-2">
					{at > 0 && (
						<span aria-hidden className="text-muted">
							›
						</span>
					)}
					{group === null ? (
						stages.map((stage) => <Stage key={stage.key} stage={stage} />)
					) : (
						<span className="flex items-center gap-2">
							<span className="sr-only">parallel group {group}:</span>
							<span aria-hidden className="text-muted">{`{`}</span>
							{stages.map((stage) => (
								<Stage key={stage.key} stage={stage} />
							))}
							<span aria-hidden className="text-muted">{`}`}</span>
						</span>
					)}
				</li>
			))}
		</ol>
	);
}

function Stage({ stage }: { stage: StageView }) {
	const { word, tone } = looks[stageState(stage)];
	const { key, startedAt, completedAt, retries, result } = stage;
	const isOver = completedAt !== undefined && startedAt !== undefined && completedAt >= startedAt;
	return (
		<span className="inline-flex items-baseline gap-1">
			<AgentText className={cn('font-medium', tone)}>{key}</AgentText>
			{word && <span className={tone}>{word === 'failed' ? (result ?? word) : word}</span>}
			{startedAt && (
				<span className="text-muted">
					<LiveDuration from={startedAt} to={isOver ? completedAt : undefined} />
				</span>
			)}
			{retries > 0 && <span className="text-warn">(retry {retries})</span>}
		</span>
	);
}
