import type { Route } from 'next';
import { type ReactNode, useMemo } from 'react';
import type { FeatureDetail, FeatureRun } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { parseTasks } from '#lib/features/tasks-file.ts';
import { groupSessions, stuckOf } from '#lib/session/session-list.ts';
import { busySpans, gapFor, timeScale } from '#lib/timeline/time-scale.ts';
import { useQuestions } from '../approvals/waiting.ts';
import { LedgerLine } from '../decisions/ledger-line.tsx';
import { NeedsYou, needsYouKeys } from '../home/sessions/needs-you.tsx';
import { SessionRow, SessionSection, stageLooks } from '../home/sessions/session-row.tsx';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { useSummaries } from '../live/session-pages.ts';
import { useRoute } from '../live/use-answer.ts';
import { StageRow } from '../replay/stage-row.tsx';
import { Alert } from '../ui/answer-state.tsx';
import { AxisLabels } from '../ui/axis-labels.tsx';
import { cn } from '../ui/cn.ts';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned, ToneGlyph, toneText } from '../ui/tone.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { useWidth } from '../ui/use-size.ts';
import { withoutPassed } from './feature-list.tsx';

/** How often (ms) the sessions are grouped again. Deadlines and durations tick in their rows. */
const REGROUP_MS = 5000;

/** An open feature: what happens now and where it stands; tasks and decisions beside that; documents at the end. */
export function LiveFeature({ detail, documents }: { detail: FeatureDetail; documents: ReactNode }) {
	const say = useSay();
	const { sessions: ids } = detail.feature;
	const sessions = useSummaries(ids).map(withoutPassed);
	const stages = sessions.flatMap((session) => session.stages);
	const running = stages.filter(({ state }) => state === 'active').map(({ key }) => key);
	return (
		<div className="flex min-h-0 flex-1 flex-col xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]">
			<div className="contents xl:block xl:overflow-y-auto">
				{running.length > 0 && (
					<h2 className="border-line border-b px-4 py-3 font-semibold text-page">
						<Toned tone="run">
							<AgentText>{running.join(', ')}</AgentText> {say('running')}
						</Toned>
					</h2>
				)}
				{ids.length === 0 ? (
					<p className="p-4 text-muted">
						{say('No session works on it yet. One does as soon as its agent starts a workflow for this feature.')}
					</p>
				) : (
					<FeatureSessions ids={ids} sessions={sessions} />
				)}
				<div className="order-2 border-line border-b px-4 py-3">
					<LiveStages runs={detail.runs} planned={stages.map(({ key }) => key)} />
				</div>
				<div className="order-4">{documents}</div>
			</div>
			<div className="contents xl:block xl:overflow-y-auto xl:border-line xl:border-l">
				<TaskList detail={detail} stages={stages} />
				<FeatureDecisions sessionIds={ids} />
			</div>
		</div>
	);
}

/** The boxes of tasks.md; an open one shows the state of the stage with its name. */
function TaskList({ detail, stages }: { detail: FeatureDetail; stages: SessionSummary['stages'] }) {
	const say = useSay();
	const text = detail.documents.find(({ name }) => name.toLowerCase() === 'tasks.md')?.text ?? '';
	const boxes = useMemo(() => parseTasks(text).boxes, [text]);
	const ticked = boxes.filter(({ checked }) => checked);
	const { done, total } = detail.feature.tasks;
	return (
		<Part
			title={say('Tasks')}
			aside={total > 0 && <span className="text-muted">{say('{done} of {total}', { done, total })}</span>}
			className="order-1 border-line border-b px-4 py-3"
		>
			{boxes.length === 0 && <p className="text-muted">{say('No tasks are written down.')}</p>}
			<ol className="max-h-96 overflow-y-auto border-line border-t empty:hidden">
				{boxes.map(({ text: task, checked, mark }) => {
					if (checked) return null;
					const state = stages.find(({ key }) => key === task)?.state ?? 'pending';
					const isUnticked = state === 'done' || state === 'issues';
					const { tone, word } = stageLooks[isUnticked ? 'pending' : state];
					return (
						<li key={mark} className="flex min-h-7 items-center gap-2 border-line border-b">
							<AgentText className="min-w-0 truncate">{task}</AgentText>
							<span className={cn('ml-auto shrink-0 text-small', toneText[tone])}>
								{isUnticked ? say('stage passed, task still open') : say(word)}
							</span>
						</li>
					);
				})}
			</ol>
			{ticked.length > 0 && (
				<p className="line-clamp-3 pt-1 text-muted">
					<ToneGlyph tone="ok" />
					<AgentText>{ticked.map(({ text: task }) => task).join(', ')}</AgentText>
				</p>
			)}
		</Part>
	);
}

function FeatureSessions({ ids, sessions }: { ids: readonly string[]; sessions: readonly SessionSummary[] }) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / REGROUP_MS) * REGROUP_MS);
	const { listRef, active } = useRoving();
	const questions = useQuestions().filter(({ session }) => ids.includes(session.sessionId));
	const stuck = stuckOf(sessions, now);
	const listed = [...groupSessions(sessions, now).values()].flat();
	const rowIds = [...needsYouKeys({ questions, stuck }), ...listed.map(({ sessionId }) => sessionId)];
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	return (
		<div ref={listRef}>
			<NeedsYou questions={questions} stuck={stuck} tabStop={tabStop} isOfInterest={(id) => ids.includes(id)} />
			<SessionSection title={say('Sessions')} count={ids.length}>
				{listed.map((session) => (
					<SessionRow
						key={session.sessionId}
						session={session}
						isTabStop={session.sessionId === tabStop}
						hasStagesNearby
					/>
				))}
				{listed.length < ids.length && (
					<li className="px-4 py-1 text-muted">
						{say('{count} of them {count:is|are} not listed on this machine.', { count: ids.length - listed.length })}
					</li>
				)}
			</SessionSection>
		</div>
	);
}

const REFRESH_MS = 10_000;
const MAX_LINES = 30;
/** Maximum number of sessions in a ledger request, because URLs are limited in length. */
const MAX_SESSIONS = 100;

function FeatureDecisions({ sessionIds }: { sessionIds: readonly string[] }) {
	const say = useSay();
	const session = sessionIds.slice(0, MAX_SESSIONS).join(',');
	const request = session === '' ? null : { query: { session, limit: MAX_LINES } };
	const { data, error } = useRoute('GET /api/decisions', request, { everyMs: REFRESH_MS });
	const lines = data?.decisions ?? [];
	return (
		<Part
			title={say('Decisions')}
			aside={
				lines.length > 0 && (
					<TextLink href={`/decisions?${new URLSearchParams({ session })}` as Route}>
						{data?.next === null ? say('All {count}', { count: lines.length }) : say('All of them')}
					</TextLink>
				)
			}
			className="order-3 border-line border-b px-4 py-3"
		>
			<Alert>{error}</Alert>
			{!error && lines.length === 0 && <p className="text-muted">{say('Nothing was denied or asked.')}</p>}
			<ul className="@container max-h-96 overflow-y-auto">
				{lines.map((line) => (
					<LedgerLine
						key={`${line.sessionId} ${line.rowKey}`}
						line={line}
						rowProps={{ 'data-row': line.rowKey, tabIndex: 0 }}
					/>
				))}
			</ul>
		</Part>
	);
}

const STAGES_STEP_MS = 1000;

/** All stage runs on one axis across all sessions, up to now while one is running. Idle time is collapsed. */
export function LiveStages({ runs, planned = [] }: { runs: readonly FeatureRun[]; planned?: readonly string[] }) {
	const say = useSay();
	const [ref, width] = useWidth<HTMLDivElement>();
	const isRunning = runs.some(({ to }) => to === null);
	const now = useClock((at) => (isRunning ? Math.floor(at / STAGES_STEP_MS) * STAGES_STEP_MS : lastEnd(runs)));
	const scale = useMemo(() => {
		const busy = busySpans(runs.map(({ from, to }) => ({ from, to: to ?? Math.max(from, now) })));
		return timeScale(busy, width, gapFor(busy, width));
	}, [runs, now, width]);
	const stages = [...new Set([...planned, ...runs.map(({ stage }) => stage)])];
	return (
		<Part title={say('Stages')}>
			{runs.length === 0 ? (
				<p className="text-muted">{say('No stage has begun. Each of its runs stands here from then on.')}</p>
			) : (
				<div className="scroll-hint relative overflow-x-auto">
					<div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-y-1 md:grid-cols-[7rem_minmax(0,1fr)]">
						<span />
						<div ref={ref} />
						{stages.map((stage) => (
							<StageRow
								key={stage}
								stage={stage}
								bars={runs.filter((run) => run.stage === stage)}
								scale={scale}
								instant={now}
							/>
						))}
						<span />
						<AxisLabels scale={scale} />
					</div>
				</div>
			)}
		</Part>
	);
}

/** End of the last run (ms), so that no finished run is drawn as still to come. */
const lastEnd = (runs: readonly FeatureRun[]) => runs.reduce((last, { to }) => Math.max(last, to ?? 0), 0);
