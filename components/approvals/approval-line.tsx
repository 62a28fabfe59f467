import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import { deciderWords, personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { english, type Say } from '#lib/messages/say.ts';
import { isReviewing } from '#lib/session/call.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { useSummary } from '../live/session-pages.ts';
import { useConnected } from '../live/store.ts';
import { ClientMark } from '../row/client.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ToneGlyph } from '../ui/tone.tsx';
import { deadlineOf } from './waiting.ts';

export function PastHead({ what, sessionId }: { what: string; sessionId: string }) {
	const session = useSummary(sessionId);
	return (
		<span className="flex flex-wrap gap-x-3">
			<AgentText className="min-w-0 max-w-full truncate font-medium">{what}</AgentText>
			<AgentText className="min-w-0 max-w-full truncate text-muted">
				{locationWords(session?.project, session?.branch, sessionId, session?.machine)}
			</AgentText>
			<ClientMark client={session?.agent} />
			{session?.title && (
				<AgentText className="min-w-0 max-w-full truncate text-muted">{`“${session.title}”`}</AgentText>
			)}
		</span>
	);
}

interface ReceiptProps {
	approval: ApprovalView;
	/** This user decided too, but someone else was faster. */
	isLate?: boolean;
	className?: string;
}

export function Receipt({ approval, isLate = false, className }: ReceiptProps) {
	const say = useSay();
	const person = personWords(approval, say);
	return (
		<span
			role="status"
			title={approval.by && deciderWords(approval.by, say)}
			className={cn('min-w-0 truncate', className)}
		>
			<ToneGlyph tone={approvalTones[approval.state]} />
			<AgentText>{capital(isLate ? say('already {person}', { person }) : person)}</AgentText>
		</span>
	);
}

export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Replaces the buttons at a hub where people may only watch. */
export function DecidedAt({ machine, className }: { machine: string; className?: string }) {
	return (
		<span className={cn('min-w-0 truncate text-muted', className)}>
			<Phrase of="is decided at {machine}" with={{ machine: <AgentText className="text-text">{machine}</AgentText> }} />
		</span>
	);
}

/** `1:21 left`, for a running review `1:21 at most`. Unknown without a connection. */
export function TimeLeft({ approval }: { approval: ApprovalView }) {
	const say = useSay();
	const isConnected = useConnected();
	if (!isConnected) return <span className="whitespace-nowrap text-warn">{say('not connected')}</span>;
	return (
		<span className="whitespace-nowrap text-wait">
			<Phrase
				of={isReviewing(approval) ? '{time} at most' : '{time} left'}
				with={{ time: <Countdown until={deadlineOf(approval)} /> }}
			/>
		</span>
	);
}

/** What an approval is about, in one line. Agent text: render it as text only. */
export function headlineOf({ denials, tool, title, asked, review }: ApprovalView, say: Say = english): string {
	if (review) {
		const what =
			review.event === 'PreToolUse'
				? say('the question “{question}”', { question: title })
				: say('the stop of the agent');
		return review.isOver ? say('Supervisor sent back {what}', { what }) : say('Supervisor reviews {what}', { what });
	}
	const [first] = denials;
	if (!first && tool === QUESTION_TOOL) return say('The agent asks: {question}', { question: title });
	if (!first && title === '') return say('{tool} asks for permission', { tool });
	if (!first) return say('{tool} asks for permission: {what}', { tool, what: title });
	const isUnplanned = first.rule === 'routing.agent-in-plan' && asked;
	return isUnplanned ? say('{agent} is not in the plan', { agent: asked }) : first.reason;
}
