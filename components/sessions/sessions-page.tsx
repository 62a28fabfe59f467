'use client';
import Link from 'next/link';
import { useMemo } from 'react';
import { useQuestions } from '../approvals/use-questions.ts';
import { useClock } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { AlarmList } from './alarm-list.tsx';
import { EmptySessions } from './empty-sessions.tsx';
import { findSessions } from './find-sessions.ts';
import { NeedsYouRow } from './needs-you-row.tsx';
import { alarmedOf, groupSessions } from './session-groups.ts';
import { MORE_ROWS, ROWS_AT_FIRST, useSessionListParams } from './session-list-params.ts';
import { SessionRow } from './session-row.tsx';
import { SessionSection } from './session-section.tsx';
import { UnaskedLine } from './unasked-line.tsx';

/** With so few sessions nobody has to look for one. */
const FEW = 20;
/** More questions than these are answered on their own page. */
const MOST_WAITING = 20;
/** Days and silence change that seldom; deadlines and durations tick in their rows. */
const STEP_MS = 5000;

/** The list of sessions: who needs a person first, then who runs. */
export function SessionsPage() {
	const sessions = useLive((state) => state.sessions);
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const questions = useQuestions();
	const [{ q, rows: wanted }, setParams] = useSessionListParams();
	const rows = Math.max(ROWS_AT_FIRST, wanted);
	const { listRef, active } = useRoving();
	const all = useMemo(() => Object.values(sessions ?? {}).filter(({ reviewer }) => !reviewer), [sessions]);
	const { groups, alarmed } = useMemo(() => {
		const found = findSessions(all, q);
		return {
			groups: [...groupSessions(found, now)].filter(([, group]) => group.length > 0),
			alarmed: alarmedOf(found, now),
		};
	}, [all, q, now]);
	if (!sessions) return <Skeleton label="Sessions are loading" />;
	if (all.length === 0) return <EmptySessions />;
	const drawn = groups.flatMap(([, group]) => group.slice(0, rows));
	const asked = questions.slice(0, MOST_WAITING);
	const rowIds = [...asked.map(({ approval }) => approval.approvalId), ...drawn.map(({ sessionId }) => sessionId)];
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	return (
		<div ref={listRef} className="pb-8">
			<h1 className="sr-only">Sessions</h1>
			{questions.length > 0 && (
				<SessionSection title="Needs you">
					{asked.map((question) => {
						const { approvalId } = question.approval;
						const tabIndex = approvalId === tabStop ? 0 : -1;
						return <NeedsYouRow key={approvalId} question={question} rowProps={{ 'data-row': approvalId, tabIndex }} />;
					})}
					{questions.length > MOST_WAITING && (
						<li className="flex min-h-9 items-center px-4">
							<Link href="/approvals" className="text-accent hover:underline">
								{questions.length - MOST_WAITING} more wait: open Approvals
							</Link>
						</li>
					)}
				</SessionSection>
			)}
			<UnaskedLine />
			{(all.length > FEW || q !== '') && (
				<div className="px-4 pt-3">
					<input
						type="search"
						aria-label="Find sessions"
						placeholder="project, branch, prompt, status…"
						value={q}
						onChange={(event) => void setParams({ q: event.target.value || null, rows: null })}
						className="h-7 w-full max-w-72 rounded border border-edge bg-surface px-2 placeholder:text-muted"
					/>
				</div>
			)}
			<AlarmList alarmed={alarmed} />
			{groups.length === 0 && (
				<p role="status" className="px-4 pt-4 text-muted">
					No session has <AgentText>{`“${q}”`}</AgentText> in its project, branch, prompt, workflow, status or id.
				</p>
			)}
			{groups.map(([name, group]) => (
				<SessionSection key={name} title={name} count={group.length}>
					{group.slice(0, rows).map((session) => (
						<SessionRow key={session.sessionId} session={session} isTabStop={session.sessionId === tabStop} />
					))}
					{group.length > rows && (
						<li className="flex flex-wrap items-center gap-x-2 px-4 py-1 text-muted">
							The newest {rows} of {group.length} are shown.
							<Button kind="quiet" size="small" onClick={() => void setParams({ rows: rows + MORE_ROWS })}>
								Show {Math.min(MORE_ROWS, group.length - rows)} more
							</Button>
						</li>
					)}
				</SessionSection>
			))}
		</div>
	);
}
