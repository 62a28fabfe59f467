import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import { deciderWords, personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { english, type Say } from '#lib/messages/say.ts';
import { isReviewing } from '#lib/session/call.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { useConnected } from '../live/store.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ToneGlyph } from '../ui/tone.tsx';
import { deadlineOf } from './waiting.ts';

interface ReceiptProps {
	approval: ApprovalView;
	/** This user decided too, but someone else was faster. */
	isLate?: boolean;
	className?: string;
}

/** How an approval ended and by whom; a screen reader announces it. */
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

type Headed = Pick<ApprovalView, 'denials' | 'tool' | 'title' | 'asked' | 'review'>;

/** What an approval is about, in one line. Agent text: render it as text only. */
export function headlineOf({ denials, tool, title, asked, review }: Headed, say: Say = english): string {
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
	const agent = first.rule === 'routing.agent-in-plan' && (asked ?? MISMATCH.exec(first.reason)?.[1]);
	return agent ? say('{agent} is not in the plan', { agent }) : first.reason;
}

/** The reason of the gate, where a call is recorded without the agent that it asked for. */
const MISMATCH = /^Agent mismatch: (.{1,100}) not in expected \[/u;

/** The headline without what the input repeats: the title, or the command that a gate quotes at its end. */
export function reasonOf(approval: Headed, say: Say): string {
	const [first] = approval.denials;
	const head = headlineOf({ ...approval, title: '' }, say);
	return first?.rule.startsWith('command.') ? head.replace(/ \[.*\]$/su, '') : head;
}
