'use client';
import Link from 'next/link';
import type { SessionSummary } from '#lib/session/summary.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { StatusWord } from '../session/status-words.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { statusNow } from './session-groups.ts';
import { Sparkline } from './sparkline.tsx';
import { StageStrip } from './stage-strip.tsx';

interface SessionRowProps {
	session: SessionSummary;
	now: number;
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
}

/** A session as one line; two on narrow screens. */
export function SessionRow({ session, now, rowProps }: SessionRowProps) {
	const { sessionId, project, branch, title, stages, agents, activity, startedAt, endedAt, spark } = session;
	const status = statusNow(session, now);
	return (
		<li>
			<Link
				{...rowProps}
				href={`/sessions/${encodeURIComponent(sessionId)}`}
				prefetch={false}
				className="grid min-h-8 grid-cols-[5.5rem_minmax(0,1fr)_3.5rem] items-center gap-x-3 border-line border-b px-4 py-1 hover:bg-hover md:grid-cols-[5.5rem_11rem_minmax(0,1fr)_12rem_4rem_4rem] xl:grid-cols-[5.5rem_11rem_minmax(0,1fr)_22rem_8rem_11rem_4rem_4rem] md:py-0"
			>
				<StatusWord status={status} />
				<AgentText className="truncate font-medium">{placeOf(project, branch, sessionId)}</AgentText>
				<AgentText className="order-last col-span-2 col-start-2 truncate text-muted md:order-none md:col-span-1 md:col-start-auto md:text-text">
					{title ?? 'No prompt yet'}
				</AgentText>
				<span className="hidden min-w-0 md:block">
					<StageStrip stages={stages} />
				</span>
				<AgentText className="hidden truncate text-muted xl:block">{countedNames(agents)}</AgentText>
				<AgentText className="hidden truncate font-mono text-mono text-muted xl:block">{activity ?? ''}</AgentText>
				<span className="text-right text-muted">
					<LiveDuration from={startedAt} to={endedAt} />
				</span>
				<span className="hidden md:block">
					<Sparkline spark={spark} now={now} />
				</span>
			</Link>
		</li>
	);
}

/** `shop/checkout`; the session's id where nothing better is known. */
export function placeOf(project: string | undefined, branch: string | undefined, sessionId: string): string {
	if (!project) return sessionId;
	return branch ? `${project}/${branch}` : project;
}

/** `developer ×2, tester`. */
export function countedNames(names: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(', ');
}
