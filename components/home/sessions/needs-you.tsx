'use client';
import Link from 'next/link';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Question } from '../../approvals/use-questions.ts';
import { useSay } from '../../language/use-say.ts';
import { NeedsYouRow } from './needs-you-row.tsx';
import { SessionSection } from './session-section.tsx';
import { StuckRow } from './stuck-row.tsx';

/** More questions than these are answered on their own page. */
const MOST_WAITING = 20;

interface NeedsYouProps {
	questions: readonly Question[];
	stuck: readonly SessionSummary[];
	/** Key of the row that is the list's one tab stop. */
	tabStop: string | undefined;
}

/** The sessions that stand there, and so nowhere else on the page. */
export function needySessions({ questions, stuck }: Pick<NeedsYouProps, 'questions' | 'stuck'>): ReadonlySet<string> {
	const asking = questions.slice(0, MOST_WAITING).map(({ session }) => session.sessionId);
	return new Set([...asking, ...stuck.slice(0, MOST_WAITING).map(({ sessionId }) => sessionId)]);
}

/** The keys of the rows that `NeedsYou` draws, in their order. */
export function needsYouKeys({ questions, stuck }: Pick<NeedsYouProps, 'questions' | 'stuck'>): string[] {
	const asked = questions.slice(0, MOST_WAITING).map(({ approval }) => approval.approvalId);
	return [...asked, ...stuck.slice(0, MOST_WAITING).map(stuckKey)];
}

const stuckKey = ({ sessionId }: SessionSummary) => `stuck:${sessionId}`;

/** Calls that wait for a person, the most urgent first, and below them the sessions that go on when one says how. */
export function NeedsYou({ questions, stuck, tabStop }: NeedsYouProps) {
	const say = useSay();
	if (questions.length + stuck.length === 0) return null;
	const rowProps = (key: string) => ({ 'data-row': key, tabIndex: key === tabStop ? (0 as const) : (-1 as const) });
	return (
		<SessionSection title={say('Needs you')}>
			{questions.slice(0, MOST_WAITING).map((question) => {
				const { approvalId } = question.approval;
				return <NeedsYouRow key={approvalId} question={question} rowProps={rowProps(approvalId)} />;
			})}
			{questions.length > MOST_WAITING && (
				<li className="flex min-h-9 items-center px-4">
					<Link href="/approvals" className="text-accent hover:underline">
						{say('{count} more wait: open Approvals', { count: questions.length - MOST_WAITING })}
					</Link>
				</li>
			)}
			{stuck.slice(0, MOST_WAITING).map((session) => (
				<StuckRow key={stuckKey(session)} session={session} rowProps={rowProps(stuckKey(session))} />
			))}
			{stuck.length > MOST_WAITING && (
				<li className="flex min-h-9 items-center px-4 text-muted">
					{say('{count} more {count:session has|sessions have} stopped.', { count: stuck.length - MOST_WAITING })}
				</li>
			)}
		</SessionSection>
	);
}
