import Link from 'next/link';
import { memo } from 'react';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { statusNow } from '#lib/session/session-list.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { clockDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useClock } from '../../live/now.ts';
import { rowAddress } from '../../row/addresses.ts';
import { DoingLine } from '../../row/doing-line.tsx';
import { JudgementLine } from '../../row/judgement-line.tsx';
import { StatusWord } from '../../session/status-words.tsx';
import { cn } from '../../ui/cn.ts';
import { PlaceName, TIME_CELL, TaskName } from './row-cells.tsx';
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
	'grid grid-cols-[0.75rem_minmax(0,1fr)_fit-content(45%)] items-center gap-x-2 @min-[640px]:gap-x-3',
	'@min-[640px]:grid-cols-[0.75rem_4.25rem_minmax(0,1.6fr)_minmax(0,10rem)_7rem_minmax(0,1fr)]',
	'@min-[900px]:grid-cols-[0.75rem_4.25rem_26%_minmax(0,9rem)_minmax(0,1.2fr)_minmax(0,1fr)_3.5rem]',
	'@min-[1280px]:grid-cols-[0.75rem_4.25rem_28%_15rem_minmax(0,1.3fr)_minmax(0,1fr)_4rem_5.625rem]',
].join(' ');

/** A session as one line of 32 px, below 640 px as two: its task, where, what it does, how that is judged, what it cost. */
export const SessionRow = memo(function SessionRow({ session, isTabStop, scale }: SessionRowProps) {
	const { sessionId, stages, doing, judgements, startedAt, endedAt, lastAt, spark, usage } = session;
	const say = useSay();
	const status = useClock((now) => statusNow(session, now));
	const minute = useClock((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
	// What was said last is no doing; on a phone what is done takes the room of the place.
	const now = doing?.since === undefined ? undefined : doing;
	const over = status === 'running' || status === 'waiting' ? undefined : (endedAt ?? lastAt);
	return (
		<li>
			<Link
				data-row={sessionId}
				tabIndex={isTabStop ? 0 : -1}
				href={rowAddress(sessionId)}
				prefetch={false}
				className={`${grid} min-h-8 border-line border-b px-4 py-1 hover:bg-hover @min-[640px]:py-0`}
			>
				<StatusWord status={status} className="[&>:last-child]:sr-only" />
				<span className={`${TIME_CELL} text-muted`}>
					{over === undefined ? (
						<LiveDuration from={startedAt} to={endedAt} />
					) : (
						<time dateTime={over} title={lastedWords(startedAt, over, say.language)}>
							{clockOrDate(over, minute, say.language)}
						</time>
					)}
				</span>
				<span className="col-start-2 row-start-1 min-w-0 @min-[640px]:col-start-3">
					<TaskName session={session} />
				</span>
				<span className="col-start-2 row-start-2 flex min-w-0 gap-x-3 @min-[640px]:contents">
					<span
						className={cn(
							'min-w-0 @min-[640px]:col-start-4 @min-[640px]:row-start-1',
							now !== undefined && '@max-[640px]:sr-only',
						)}
					>
						<PlaceName session={session} />
					</span>
					<span className="flex min-w-0 items-center gap-x-3 @min-[640px]:col-start-5 @min-[640px]:row-start-1">
						<StageSegments stages={stages} isPaused={session.paused} />
						<span className="min-w-0 @min-[640px]:@max-[900px]:hidden">
							<DoingLine doing={now} />
						</span>
					</span>
				</span>
				<JudgementLine
					judgements={judgements}
					className="col-start-3 row-start-2 text-small @min-[640px]:col-start-6 @min-[640px]:row-start-1 @min-[640px]:text-ui"
				/>
				<span className="row-start-1 hidden @min-[900px]:col-start-7 @min-[900px]:block">
					<UsageCell usage={usage} />
				</span>
				<span className="row-start-1 hidden @min-[1280px]:col-start-8 @min-[1280px]:block">
					<Sparkline spark={spark} now={minute} scale={scale} />
				</span>
			</Link>
		</li>
	);
});

/** How long it took in all, where its last moment is all that is shown. */
function lastedWords(from: string | undefined, to: string, language: Parameters<typeof clockDuration>[1]) {
	return from === undefined ? undefined : clockDuration(Date.parse(to) - Date.parse(from), language);
}

/** What a session cost, in a column of a list: its tokens where no price is known, blank where nothing is. */
function UsageCell({ usage }: { usage: UsageTotals | undefined }) {
	const cost = usage && costOfAll(usage);
	const say = useSay();
	const tokens = usage && say('{count} tokens', { count: tokenNumber(tokensOf(usage)) });
	return (
		<span className="block truncate text-right text-muted" title={cost ? tokens : undefined}>
			{cost ?? tokens}
		</span>
	);
}
