'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useWaiting } from '../approvals/use-waiting.ts';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { EmptySessions } from './empty-sessions.tsx';
import { NeedsYouRow } from './needs-you-row.tsx';
import { alarmsOf, groupSessions } from './session-groups.ts';
import { placeOf, SessionRow } from './session-row.tsx';
import { UnaskedLine } from './unasked-line.tsx';

/** The list of sessions: who needs a person first, then who runs. */
export function SessionsPage() {
	const sessions = useLive((state) => state.sessions);
	const now = useNow();
	const waiting = useWaiting();
	const { listRef, rowProps } = useRoving();
	if (!sessions) return <Skeleton label="Sessions are loading" />;
	const all = Object.values(sessions).filter(({ reviewer }) => !reviewer);
	if (all.length === 0) return <EmptySessions />;
	const groups = [...groupSessions(all, now)].filter(([, group]) => group.length > 0);
	const alarmed = all
		.map((session) => ({ session, alarms: alarmsOf(session, now) }))
		.filter(({ alarms }) => alarms.length > 0);
	const first = groups[0]?.[1][0]?.sessionId;
	return (
		<div ref={listRef} className="pb-8">
			<h1 className="sr-only">Sessions</h1>
			{waiting.length > 0 && (
				<Section title="Needs you">
					{waiting.map((each) => (
						<NeedsYouRow key={each.approval.approvalId} waiting={each} />
					))}
				</Section>
			)}
			<UnaskedLine />
			{alarmed.length > 0 && (
				<Section title="Alarms">
					{alarmed.map(({ session, alarms }) => (
						<li key={session.sessionId} className="flex min-h-8 items-center gap-3 border-line border-b px-4">
							<span aria-hidden className="w-3 text-center text-err">
								▲
							</span>
							<Link
								href={`/sessions/${encodeURIComponent(session.sessionId)}`}
								className="flex min-w-0 gap-x-3 hover:underline"
							>
								<AgentText className="min-w-0 truncate font-medium">
									{placeOf(session.project, session.branch, session.sessionId)}
								</AgentText>
								{session.title && (
									<AgentText className="min-w-0 flex-1 truncate text-muted">{`“${session.title}”`}</AgentText>
								)}
							</Link>
							<span className="shrink-0 text-err">{alarms.join(' · ')}</span>
						</li>
					))}
				</Section>
			)}
			{groups.map(([name, group]) => (
				<Section key={name} title={name} count={group.length}>
					{group.map((session) => (
						<SessionRow
							key={session.sessionId}
							session={session}
							now={now}
							rowProps={rowProps(session.sessionId, session.sessionId === first)}
						/>
					))}
				</Section>
			))}
		</div>
	);
}

function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
	return (
		<section aria-label={title}>
			<h2 className="px-4 pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{title} {count !== undefined && <span className="font-normal">{count}</span>}
			</h2>
			<ul className="border-line border-t">{children}</ul>
		</section>
	);
}
