'use client';
import Link from 'next/link';
import { memo } from 'react';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { placeOf } from '#lib/session/place-of.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useClock } from '../../live/now.ts';
import { MakeMark } from '../../row/agent/make-mark.tsx';
import { JudgementLine } from '../../row/judgement/judgement-line.tsx';
import { rowAddress } from '../../row/row-address.ts';
import { StatusWord } from '../../session/status-words.tsx';
import { UsageCell } from '../../session/usage/usage-cell.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { DoingLine } from './doing-line.tsx';
import { statusNow } from './session-groups.ts';
import { Sparkline } from './sparkline.tsx';
import { StageSegments } from './stage-segments.tsx';

interface SessionRowProps {
	session: SessionSummary;
	/** The list's one tab stop. */
	isTabStop: boolean;
	/** Events a minute at the top of the sparkline, the same in all rows. */
	scale: number;
}

const MINUTE_MS = 60_000;

/** Where each part stands, by the width of the list alone: nothing that comes moves another part sideways. */
const grid = [
	'grid grid-cols-[0.75rem_minmax(0,1fr)_6rem_3.25rem] gap-x-2 @min-[640px]:gap-x-3',
	'@min-[640px]:grid-cols-[0.75rem_8rem_minmax(0,1fr)_7rem_minmax(0,1fr)_3.25rem]',
	'@min-[900px]:grid-cols-[5.5rem_10rem_minmax(0,1fr)_8.5rem_minmax(0,1fr)_3.25rem_3.25rem]',
	'@min-[1024px]:grid-cols-[5.5rem_9rem_minmax(0,1fr)_8rem_minmax(0,1fr)_4rem_3.25rem_3.25rem]',
	'@min-[1280px]:grid-cols-[5.5rem_minmax(16rem,1.2fr)_minmax(0,1fr)_8.5rem_minmax(0,1.2fr)_4rem_3.5rem_3.5rem_5.625rem]',
].join(' ');

/** A session as one line, from 640 px down as two. Drawn anew only when the session says something. */
export const SessionRow = memo(function SessionRow({ session, isTabStop, scale }: SessionRowProps) {
	const { sessionId, project, branch, title, stages, doing, judgements, startedAt, endedAt, spark } = session;
	const say = useSay();
	const status = useClock((now) => statusNow(session, now));
	const now = useClock((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
	const over = status === 'running' || status === 'waiting' ? undefined : (endedAt ?? session.lastAt);
	return (
		<li>
			<Link
				data-row={sessionId}
				tabIndex={isTabStop ? 0 : -1}
				href={rowAddress(sessionId)}
				prefetch={false}
				className={`${grid} min-h-8 items-center border-line border-b px-4 py-1 hover:bg-hover @min-[640px]:py-0`}
			>
				<StatusWord status={status} className="@max-[900px]:[&>:last-child]:sr-only" />
				<span className="col-start-2 row-start-1 flex min-w-0 items-baseline gap-2 overflow-hidden">
					<AgentText className="min-w-0 max-w-full shrink-0 truncate font-medium">
						{placeOf(project, branch, sessionId)}
					</AgentText>
					{session.machine && (
						<AgentText className="min-w-0 truncate text-muted text-small">{session.machine.name}</AgentText>
					)}
					{/* It goes first, and wholly: a name that loses a fraction of a pixel ends in dots. */}
					<MakeMark make={session.agent} className="shrink-[9999] border-0 px-0" />
					{doing && title && (
						<AgentText className="min-w-0 flex-1 truncate text-muted @max-[1280px]:sr-only">{title}</AgentText>
					)}
				</span>
				<span className="col-start-2 row-start-2 min-w-0 @min-[640px]:col-start-3 @min-[640px]:row-start-1">
					{doing ? (
						<DoingLine doing={doing} />
					) : (
						title && <AgentText className="block truncate text-muted">{title}</AgentText>
					)}
				</span>
				<span className="col-start-3 row-start-1 min-w-0 @min-[640px]:col-start-4">
					<StageSegments stages={stages} isPaused={session.paused} />
				</span>
				<JudgementLine
					judgements={judgements}
					className="col-span-2 col-start-3 row-start-2 text-small @min-[640px]:col-span-1 @min-[640px]:col-start-5 @min-[640px]:row-start-1 @min-[640px]:text-ui"
				/>
				<span className="col-start-4 row-start-1 text-right text-muted @min-[640px]:col-start-6 @min-[1024px]:col-start-7">
					<LiveDuration from={startedAt} to={endedAt} />
				</span>
				<span className="row-start-1 hidden text-right text-muted @min-[900px]:col-start-7 @min-[900px]:block @min-[1024px]:col-start-8">
					{over && (
						<time dateTime={over} title={say('Last event')}>
							{clockOrDate(over, now, say.language)}
						</time>
					)}
				</span>
				<span className="row-start-1 hidden text-right @min-[1024px]:col-start-6 @min-[1024px]:block">
					<UsageCell usage={session.usage} />
				</span>
				<span className="row-start-1 hidden @min-[1280px]:col-start-9 @min-[1280px]:block">
					<Sparkline spark={spark} now={now} scale={scale} />
				</span>
			</Link>
		</li>
	);
});
