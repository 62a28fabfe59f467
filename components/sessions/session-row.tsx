'use client';
import Link from 'next/link';
import { memo } from 'react';
import type { SessionSummary } from '#lib/contract/read-model/session-summary.ts';
import { placeOf } from '#lib/session/place-of.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useClock } from '../live/now.ts';
import { StatusWord } from '../session/status-words.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph } from '../ui/tone.ts';
import { UsageCell } from '../usage/usage-cell.tsx';
import { statusNow } from './session-groups.ts';
import { SessionMarks } from './session-marks.tsx';
import { Sparkline } from './sparkline.tsx';
import { StageStrip } from './stage-strip.tsx';

interface SessionRowProps {
	session: SessionSummary;
	/** The list's one tab stop. */
	isTabStop: boolean;
}

const MINUTE_MS = 60_000;

/** A session as one line; two on narrow screens. Drawn anew only when the session says something. */
export const SessionRow = memo(function SessionRow({ session, isTabStop }: SessionRowProps) {
	const { sessionId, project, branch, title, stages, agents, doing, startedAt, endedAt, counts, spark } = session;
	const status = useClock((now) => statusNow(session, now));
	const now = useClock((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
	const over = status === 'running' || status === 'waiting' ? undefined : (endedAt ?? session.lastAt);
	return (
		<li>
			<Link
				data-row={sessionId}
				tabIndex={isTabStop ? 0 : -1}
				href={`/sessions/${encodeURIComponent(sessionId)}`}
				prefetch={false}
				className="flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b px-4 py-1 hover:bg-hover md:flex-nowrap md:py-0"
			>
				<StatusWord status={status} className="w-22 shrink-0" />
				<AgentText className="min-w-0 flex-1 truncate font-medium md:w-44 md:flex-none">
					{placeOf(project, branch, sessionId)}
				</AgentText>
				<span className="order-last flex w-full min-w-0 flex-wrap items-center gap-x-3 pl-25 md:contents">
					<AgentText className="min-w-0 basis-full truncate text-muted md:min-w-24 md:flex-1 md:basis-0 md:text-text">
						{title ?? 'No prompt yet'}
					</AgentText>
					{session.paused && (
						<span className="whitespace-nowrap text-small text-wait">
							<span aria-hidden>{toneGlyph.wait} </span>
							workflow paused
						</span>
					)}
					<SessionMarks counts={counts} />
				</span>
				{stages.length > 0 && (
					<span className="hidden min-w-0 max-w-48 md:block xl:max-w-88">
						<StageStrip stages={stages} />
					</span>
				)}
				{agents.length > 0 && (
					<AgentText className="hidden max-w-32 shrink-0 truncate text-muted xl:block">
						{countedNames(agents)}
					</AgentText>
				)}
				{doing && (
					<AgentText className="hidden max-w-44 shrink-0 truncate font-mono text-mono text-muted xl:block">
						{doing.text}
					</AgentText>
				)}
				<UsageCell usage={session.usage} />
				<span className={cn('w-14 shrink-0 text-right text-muted', over && 'hidden md:block')}>
					<LiveDuration from={startedAt} to={endedAt} />
				</span>
				<span className={cn('w-16 shrink-0 text-right text-muted', !over && 'hidden md:block')}>
					{over && (
						<time dateTime={over} title="Last event">
							{clockOrDate(over, now)}
						</time>
					)}
				</span>
				<span className="hidden w-[5.625rem] shrink-0 md:block">
					<Sparkline spark={spark} now={now} />
				</span>
			</Link>
		</li>
	);
});

/** `developer ×2, tester`. */
export function countedNames(names: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(', ');
}
