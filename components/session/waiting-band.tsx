'use client';
import { decidedAt } from '#lib/approvals/call-words.ts';
import { isReviewing } from '#lib/session/call.ts';
import { rowKeyOfApproval } from '../approvals/ask.ts';
import { DecidedAt } from '../approvals/decided-at.tsx';
import { headlineOf } from '../approvals/headline.ts';
import { openCard } from '../approvals/open-card.ts';
import { Receipt } from '../approvals/receipt.tsx';
import { TimeLeft } from '../approvals/time-left.tsx';
import { useEnded } from '../approvals/use-ended.ts';
import { type Question, useQuestions } from '../approvals/use-questions.ts';
import { useSay } from '../language/use-say.ts';
import { useSessionParams } from '../row/search-params.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** What this session asks of a person, above everything else. */
export function WaitingBand({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	const mine = useQuestions(true).filter(({ session }) => session.sessionId === sessionId);
	if (mine.length === 0) return null;

	/** A and D work at once on the card, which is there already while no row is selected. */
	async function review(key: string, approvalId: string) {
		if (openCard(approvalId)) return;
		await setParams({ row: key });
		openCard(approvalId);
	}

	return (
		<ul aria-label={say('Needs you')} className="shrink-0">
			{mine.map((question) => {
				const { approvalId } = question.approval;
				const onReview = () => void review(rowKeyOfApproval(question.approval), approvalId);
				return <BandRow key={approvalId} question={question} onReview={onReview} />;
			})}
		</ul>
	);
}

/** One question; what became of it stands in its place for a while, so that the page below keeps still. */
function BandRow({ question, onReview }: { question: Question; onReview: () => void }) {
	const say = useSay();
	const { approval, overSince, session } = question;
	const watched = decidedAt(session.machine);
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
					{watched !== undefined ? (
						<DecidedAt machine={watched} className="ml-auto" />
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
