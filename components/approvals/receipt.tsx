import { personWords } from '#lib/approvals/call-words.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';

interface ReceiptProps {
	approval: ApprovalView;
	/** The reader decided, too, but somebody was faster. */
	isLate?: boolean;
	className?: string;
}

/** What became of a question, by whom, in one line that stands where its buttons were. */
export function Receipt({ approval, isLate = false, className }: ReceiptProps) {
	const tone = approvalTones[approval.state];
	const say = useSay();
	const person = personWords(approval, say);
	const words = isLate ? say('already {person}', { person }) : person;
	return (
		<span role="status" className={cn('min-w-0 truncate', className)}>
			<span aria-hidden className={toneText[tone]}>
				{toneGlyph[tone]}{' '}
			</span>
			<AgentText>{words.charAt(0).toUpperCase() + words.slice(1)}</AgentText>
		</span>
	);
}
