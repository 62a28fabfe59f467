'use client';
import type { FeatureDetail } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { groupSessions, stuckOf } from '#lib/session/session-list.ts';
import { useQuestions } from '../approvals/use-questions.ts';
import { NeedsYou, needsYouKeys } from '../home/sessions/needs-you.tsx';
import { SessionRow } from '../home/sessions/session-row.tsx';
import { SessionSection } from '../home/sessions/session-section.tsx';
import { sparkScale } from '../home/sessions/sparkline.tsx';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { useSummaries } from '../live/use-summaries.ts';
import { useRoving } from '../ui/use-roving.ts';
import { FeatureDecisions } from './feature-decisions.tsx';
import { LiveStages } from './live-stages.tsx';

/** Days change that seldom; deadlines and durations tick in their rows. */
const STEP_MS = 5000;

/** An open feature as it stands: the runs of its stages, what was decided, who needs a person, and its sessions. */
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
				<Rows ids={ids} sessions={sessions} />
			)}
		</div>
	);
}

function Rows({ ids, sessions }: { ids: readonly string[]; sessions: readonly SessionSummary[] }) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const { listRef, active } = useRoving();
	const questions = useQuestions().filter(({ session }) => ids.includes(session.sessionId));
	const stuck = stuckOf(sessions, now);
	const drawn = [...groupSessions(sessions, now).values()].flat();
	const scale = sparkScale(
		drawn.map(({ spark }) => spark),
		now,
	);
	const rowIds = [...needsYouKeys({ questions, stuck }), ...drawn.map(({ sessionId }) => sessionId)];
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	return (
		<div ref={listRef}>
			<NeedsYou questions={questions} stuck={stuck} tabStop={tabStop} />
			<SessionSection title={say('Sessions')} count={ids.length}>
				{drawn.map((session) => (
					<SessionRow
						key={session.sessionId}
						session={session}
						isTabStop={session.sessionId === tabStop}
						scale={scale}
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
