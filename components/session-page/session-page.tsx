'use client';

import { useEffect, useRef, useState } from 'react';
import { decidedOnlyAt } from '#lib/approvals/call-words.ts';
import { isReviewing } from '#lib/session/call.ts';
import { DecidedAt, headlineOf, Receipt, TimeLeft } from '../approvals/approval-line.tsx';
import { openCard, rowKeyOfApproval } from '../approvals/call-details.ts';
import { useEnded } from '../approvals/use-decision.ts';
import { type Question, useQuestions } from '../approvals/waiting.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub } from '../live/hub.tsx';
import { useSession } from '../live/session-source.ts';
import { watchSession } from '../live/socket.ts';
import { liveStore } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { useSessionParams } from '../row/search-params.ts';
import { SessionNotesProvider } from '../session/notes/session-notes.tsx';
import { SessionHeader } from '../session/session-header.tsx';
import { Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { PageMessage } from '../ui/page.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { SessionReadings } from './session-readings.tsx';

/** Live while mounted: opening the page subscribes to the session. */
export function SessionPage({ sessionId }: { sessionId: string }) {
	useEffect(() => watchSession(sessionId), [sessionId]);
	const status = useSession(sessionId, (session) => session.status) ?? 'loading';
	const isKnown = useSession(sessionId, ({ view }) => view !== null);
	if (status === 'not-found') return <NoSession sessionId={sessionId} />;
	if (!isKnown) return <SessionNotYet key={sessionId} sessionId={sessionId} />;
	return (
		<div className="flex h-full flex-col short:h-auto print:h-auto">
			<SessionHeader sessionId={sessionId} />
			<WaitingBand sessionId={sessionId} />
			<SessionNotesProvider sessionId={sessionId}>
				<SessionReadings sessionId={sessionId} />
			</SessionNotesProvider>
			<Announcer sessionId={sessionId} />
		</div>
	);
}

/** Shown if the home has no timeline of the session. Links to the archives that contain it, if any. */
function NoSession({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const isHub = useHub();
	const { data } = useRoute('GET /api/sessions/:id/archives', { params: { id: sessionId } });
	const archives = data?.archives ?? [];
	const id = <AgentText className="font-mono text-mono">{sessionId}</AgentText>;
	const isArchived = archives.length > 0;
	return (
		<PageMessage
			title={isArchived ? say('This session is in an archive') : say('There is no such session')}
			href="/"
			link={say('All sessions')}
		>
			<p className="text-muted [overflow-wrap:anywhere]">
				<Phrase
					of={
						isArchived
							? 'Its own files are no longer in this home; the archive has the whole of {id}.'
							: isHub
								? 'No machine of this hub has sent a session {id} that your roles reach.'
								: 'No timeline is recorded under {id}. It may have been recorded on another machine or under another OVERTONE_HOME.'
					}
					with={{ id }}
				/>
			</p>
			{data?.removedAt && (
				<p className="text-muted">
					{say('The retention removed them on {day}.', { day: data.removedAt.slice(0, 10) })}
				</p>
			)}
			{archives.map((archive) => (
				<TextLink
					key={archive.id}
					href={`/features/${encodeURIComponent(archive.id)}?session=${encodeURIComponent(sessionId)}`}
					className="[overflow-wrap:anywhere]"
				>
					{say('Open it in the archive {archive}', { archive: archive.id })}
				</TextLink>
			))}
		</PageMessage>
	);
}

/** Wait (ms) for the live connection to deliver a session, before the server is asked why it is missing. */
const PATIENCE_MS = 3000;
const REFRESH_MS = 5000;

function SessionNotYet({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [isLate, setLate] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setLate(true), PATIENCE_MS);
		return () => clearTimeout(timer);
	}, []);
	const request = isLate ? { params: { id: sessionId } } : null;
	const { error, reload } = useRoute('GET /api/sessions/:id', request, { everyMs: REFRESH_MS });
	if (error === null) return <Skeleton label={say('The session is loading')} />;
	return (
		<PageMessage title={say('This session cannot be shown now')}>
			<p role="alert" className="text-warn [overflow-wrap:anywhere]">
				<Advice>{error}</Advice>
			</p>
			<p className="text-muted">{say('It is asked for again by itself, and comes as soon as it can be read.')}</p>
			<Button onClick={reload}>{say('Try again')}</Button>
		</PageMessage>
	);
}

/** Minimum interval (ms) between announcements, so that a burst is announced once. */
const PAUSE_MS = 2_000;

const arrivedIn = (sessionId: string) => {
	const { session } = liveStore.getState();
	return session?.sessionId === sessionId ? session.arrived : 0;
};

function Announcer({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [words, setWords] = useState('');
	const announcedCount = useRef(0);
	useEffect(() => {
		announcedCount.current = arrivedIn(sessionId);
		const timer = setInterval(() => {
			const arrived = arrivedIn(sessionId);
			const fresh = arrived - announcedCount.current;
			announcedCount.current = arrived;
			setWords(fresh > 0 ? say('{count} new {count:event|events}', { count: fresh }) : '');
		}, PAUSE_MS);
		return () => clearInterval(timer);
	}, [sessionId, say]);
	return (
		<div role="status" className="sr-only">
			{words}
		</div>
	);
}

function WaitingBand({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [{ row }, setParams] = useSessionParams();
	const isForBand = (one: Question) => one.session.sessionId === sessionId && rowKeyOfApproval(one.approval) !== row;
	const questions = useQuestions({ withReviews: true }).filter(isForBand);

	/** Focuses the approval card, so that A and D work; opens the row first if the card is not shown. */
	async function review(key: string, approvalId: string) {
		if (openCard(approvalId)) return;
		await setParams({ row: key });
		openCard(approvalId);
	}

	return (
		<ul aria-label={say('Needs you')} className="shrink-0">
			{questions.map((question) => {
				const { approvalId } = question.approval;
				const onReview = () => void review(rowKeyOfApproval(question.approval), approvalId);
				return <BandRow key={approvalId} question={question} onReview={onReview} />;
			})}
		</ul>
	);
}

/** A waiting question. Its result stays in place for a while, so that the content below does not move. */
function BandRow({ question, onReview }: { question: Question; onReview: () => void }) {
	const say = useSay();
	const { approval, overSince, session } = question;
	const onlyAtMachine = decidedOnlyAt(session.machine);
	const isOver = overSince !== undefined;
	const ended = useEnded(approval.approvalId, isOver);
	return (
		<li className="flex min-h-9 items-center gap-3 border-line border-b bg-raised px-4 pointer-coarse:min-h-11">
			<span aria-hidden className={isReviewing(approval) ? 'text-run' : 'text-wait'}>
				◆
			</span>
			<AgentText className="min-w-0 truncate font-medium">{headlineOf(approval, say)}</AgentText>
			{isOver ? (
				ended && <Receipt approval={ended} className="ml-auto" />
			) : (
				<>
					<TimeLeft approval={approval} />
					{onlyAtMachine !== undefined ? (
						<DecidedAt machine={onlyAtMachine} className="ml-auto" />
					) : (
						<Button kind="primary" size="small" className="ml-auto" onClick={onReview}>
							{isReviewing(approval) ? say('Decide') : say('Review')}
						</Button>
					)}
				</>
			)}
		</li>
	);
}
