'use client';
import Link from 'next/link';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { judgementsOfAll } from '#lib/session/judgement.ts';
import { statusNow, stuckOf } from '#lib/session/session-list.ts';
import { StageSegments } from '../home/sessions/stage-segments.tsx';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { useSummaries } from '../live/use-summaries.ts';
import { MakeMark } from '../row/agent/make-mark.tsx';
import { DoingLine } from '../row/doing-line.tsx';
import { featureAddress } from '../row/feature-address.ts';
import { JudgementLine } from '../row/judgement/judgement-line.tsx';
import { rowAddress } from '../row/row-address.ts';
import { StatusWord } from '../session/status-words.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph } from '../ui/tone.ts';
import { FeatureActions } from './feature-actions.tsx';
import { FeatureUsage } from './feature-usage.tsx';

/** Sessions beyond these are on the feature's page. */
const MOST_SESSIONS = 3;
const STEP_MS = 5000;

/** An open feature: how far it is, who works on it and how that is judged, who waits, what it took, and where it can be moved. */
export function FeatureCard({ feature, onChange }: { feature: FeatureRecord; onChange: () => void }) {
	const say = useSay();
	const { id, name, project, workflow, tasks, usage } = feature;
	const mayAct = useMayDecide();
	const sessions = useSummaries(feature.sessions);
	const address = featureAddress(id);
	const lastFirst = sessions.toSorted((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));
	const judgements = judgementsOfAll(sessions.map((session) => session.judgements));
	return (
		<li className="flex flex-col gap-1 border-line border-b py-2">
			<div className="flex flex-wrap items-baseline gap-x-3">
				<h3 className="min-w-0 font-semibold">
					<Link href={address} className="hover:underline">
						<AgentText className="[overflow-wrap:anywhere]">{name}</AgentText>
					</Link>
				</h3>
				<AgentText className="text-muted">{[project, workflow].filter(Boolean).join(' · ')}</AgentText>
				{feature.makes.map((make) => (
					<MakeMark key={make} make={make} />
				))}
				<span className="ml-auto">
					<FeatureUsage usage={usage} />
				</span>
			</div>
			<TaskProgress done={tasks.done} total={tasks.total} next={tasks.next[0]} />
			<Waiting sessions={sessions} />
			{lastFirst.length > 0 && (
				<ul aria-label={say('Sessions')} className="flex flex-col">
					{lastFirst.slice(0, MOST_SESSIONS).map((session) => (
						<CardSession key={session.sessionId} session={session} />
					))}
				</ul>
			)}
			{feature.sessions.length > MOST_SESSIONS && (
				<Link href={address} className="inline-flex min-h-6 w-fit items-center text-accent hover:underline">
					{say('{count} more sessions', { count: feature.sessions.length - MOST_SESSIONS })}
				</Link>
			)}
			{judgements.length > 0 && <JudgementLine judgements={judgements} />}
			{mayAct && <FeatureActions feature={feature} onDone={onChange} />}
		</li>
	);
}

/** Boxes of the tasks file as a bar and in words, and the next one that is open. */
function TaskProgress({ done, total, next }: { done: number; total: number; next: string | undefined }) {
	const say = useSay();
	if (total === 0) return <p className="text-muted">{say('No tasks are written down.')}</p>;
	return (
		<p className="flex min-w-0 items-center gap-2">
			<span aria-hidden className="h-1.5 w-24 shrink-0 rounded bg-hover">
				<span className="block h-full rounded bg-ok" style={{ width: `${(done / total) * 100}%` }} />
			</span>
			<span className="shrink-0">{say('{done} of {total} tasks done', { done, total })}</span>
			{next !== undefined && (
				<span className="min-w-0 truncate">
					<span className="text-muted">{say('next ')}</span>
					<AgentText>{next}</AgentText>
				</span>
			)}
		</p>
	);
}

/** That somebody waits for a person, in one line that leads there. */
function Waiting({ sessions }: { sessions: readonly SessionSummary[] }) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const asking = sessions.filter((session) => statusNow(session, now) === 'waiting');
	const waiting = [...new Set([...asking, ...stuckOf(sessions, now)])];
	const [first] = waiting;
	if (!first) return null;
	return (
		<p>
			<Link
				href={asking.length > 0 ? '/approvals' : rowAddress(first.sessionId)}
				prefetch={false}
				className="inline-flex min-h-6 items-center gap-1.5 text-wait hover:underline"
			>
				<span aria-hidden>{toneGlyph.wait}</span>
				{waiting.length === 1
					? say('1 session waits for you')
					: say('{count} sessions wait for you', { count: waiting.length })}
			</Link>
		</p>
	);
}

/** One session of the feature: its status, its stages, and who does what. */
function CardSession({ session }: { session: SessionSummary }) {
	const status = useClock((now) => statusNow(session, now));
	return (
		<li>
			<Link
				href={rowAddress(session.sessionId)}
				prefetch={false}
				className="grid min-h-7 grid-cols-[5.5rem_minmax(0,6rem)_minmax(0,1fr)] sm:grid-cols-[5.5rem_8.5rem_minmax(0,1fr)] items-center gap-x-2 hover:bg-hover"
			>
				<StatusWord status={status} />
				<StageSegments stages={session.stages} isPaused={session.paused} />
				{session.doing ? (
					<DoingLine doing={session.doing} />
				) : (
					<AgentText className="truncate text-muted">{session.title ?? session.branch ?? session.sessionId}</AgentText>
				)}
			</Link>
		</li>
	);
}
