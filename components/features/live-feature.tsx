import type { Route } from 'next';
import { useMemo } from 'react';
import type { DecisionRecord } from '#lib/contract/archives/decisions.ts';
import type { FeatureDetail, FeatureRun } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { personOf } from '#lib/ledger/ledger-filter.ts';
import { outcomeLook, stateWords } from '#lib/ledger/ledger-words.ts';
import { groupSessions, stuckOf } from '#lib/session/session-list.ts';
import { busySpans, gapFor, timeScale } from '#lib/timeline/time-scale.ts';
import { useQuestions } from '../approvals/waiting.ts';
import { NeedsYou, needsYouKeys } from '../home/sessions/needs-you.tsx';
import { SessionRow, SessionSection } from '../home/sessions/session-row.tsx';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { useSummaries } from '../live/session-pages.ts';
import { useRoute } from '../live/use-answer.ts';
import { StageRow } from '../replay/stage-row.tsx';
import { rowAddress } from '../row/addresses.ts';
import { Alert } from '../ui/answer-state.tsx';
import { AxisLabels } from '../ui/axis-labels.tsx';
import { Part } from '../ui/part.tsx';
import { PastLink } from '../ui/past-link.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { useWidth } from '../ui/use-size.ts';

/** Update interval (ms) for days. Deadlines and durations tick in their rows. */
const STEP_MS = 5000;

export function LiveFeature({ detail }: { detail: FeatureDetail }) {
	const say = useSay();
	const { sessions: ids } = detail.feature;
	const sessions = useSummaries(ids);
	return (
		<div className="flex min-w-0 flex-1 flex-col xl:min-h-0 xl:overflow-y-auto">
			<div className="flex shrink-0 flex-col border-line border-b md:flex-row">
				<LiveStages runs={detail.runs} />
				<FeatureDecisions sessionIds={ids} />
			</div>
			{ids.length === 0 ? (
				<p className="p-4 text-muted">
					{say('No session works on it yet. One does as soon as its agent starts a workflow for this feature.')}
				</p>
			) : (
				<FeatureSessions ids={ids} sessions={sessions} />
			)}
		</div>
	);
}

function FeatureSessions({ ids, sessions }: { ids: readonly string[]; sessions: readonly SessionSummary[] }) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const { listRef, active } = useRoving();
	const questions = useQuestions().filter(({ session }) => ids.includes(session.sessionId));
	const stuck = stuckOf(sessions, now);
	const drawn = [...groupSessions(sessions, now).values()].flat();
	const rowIds = [...needsYouKeys({ questions, stuck }), ...drawn.map(({ sessionId }) => sessionId)];
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	return (
		<div ref={listRef}>
			<NeedsYou questions={questions} stuck={stuck} tabStop={tabStop} isOfInterest={(id) => ids.includes(id)} />
			<SessionSection title={say('Sessions')} count={ids.length}>
				{drawn.map((session) => (
					<SessionRow
						key={session.sessionId}
						session={session}
						isTabStop={session.sessionId === tabStop}
						hasStagesNearby
					/>
				))}
				{drawn.length < ids.length && (
					<li className="px-4 py-1 text-muted">
						{say('{count} of them {count:is|are} not listed on this machine.', { count: ids.length - drawn.length })}
					</li>
				)}
			</SessionSection>
		</div>
	);
}

const AGAIN_MS = 10_000;
const SHOWN = 30;
/** Maximum number of sessions in a ledger request, because URLs are limited in length. */
const MOST_SESSIONS = 100;

function FeatureDecisions({ sessionIds }: { sessionIds: readonly string[] }) {
	const say = useSay();
	const session = sessionIds.slice(0, MOST_SESSIONS).join(',');
	const wish = session === '' ? null : { query: { session, limit: SHOWN } };
	const { data, error } = useRoute('GET /api/decisions', wish, { everyMs: AGAIN_MS });
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
			className="border-line border-t p-3 md:w-80 md:border-t-0 md:border-l"
		>
			<Alert>{error}</Alert>
			{!error && lines.length === 0 && <p className="text-muted">{say('Nothing was denied or asked.')}</p>}
			<ol className="max-h-48 overflow-y-auto">
				{lines.map((line) => (
					<DecisionLine key={`${line.sessionId} ${line.rowKey}`} line={line} />
				))}
			</ol>
		</Part>
	);
}

function DecisionLine({ line }: { line: DecisionRecord }) {
	const say = useSay();
	const { sessionId, rowKey, at, title, tool, state } = line;
	const { words, tone } = outcomeLook(line);
	const person = personOf(line);
	return (
		<li>
			<PastLink at={at} href={rowAddress(sessionId, rowKey)}>
				<span className="min-w-0">
					<AgentText className="block truncate">{`${tool} ${title}`}</AgentText>
					<span className="block truncate text-small">
						<Toned tone={tone}>{words}</Toned>
						<span className="text-muted"> · {say(stateWords[state])}</span>
						{person !== null && <AgentText className="text-muted">{` · ${person}`}</AgentText>}
					</span>
				</span>
			</PastLink>
		</li>
	);
}

const STAGES_STEP_MS = 1000;

/** All stage runs on one axis across all sessions, up to now while one is running. Idle time is collapsed. */
export function LiveStages({ runs }: { runs: readonly FeatureRun[] }) {
	const say = useSay();
	const [ref, width] = useWidth<HTMLDivElement>();
	const isRunning = runs.some(({ to }) => to === null);
	const now = useClock((at) => (isRunning ? Math.floor(at / STAGES_STEP_MS) * STAGES_STEP_MS : lastEnd(runs)));
	const scale = useMemo(() => {
		const busy = busySpans(runs.map(({ from, to }) => ({ from, to: to ?? Math.max(from, now) })));
		return timeScale(busy, width, gapFor(busy, width));
	}, [runs, now, width]);
	const stages = [...new Set(runs.map(({ stage }) => stage))];
	return (
		<Part title={say('Stages')} className="flex-1 p-3">
			{runs.length === 0 ? (
				<p className="text-muted">{say('No stage has begun. Each of its runs stands here from then on.')}</p>
			) : (
				<div className="scroll-hint relative overflow-x-auto">
					<div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[7rem_minmax(0,1fr)]">
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
