'use client';
import { visibleString } from '#lib/text/visible-text.ts';
import { rowKeyOfApproval } from '../../approvals/ask.ts';
import { AskedLine } from '../../approvals/asked-line.tsx';
import { headlineOf } from '../../approvals/headline.ts';
import { QuickAnswer } from '../../approvals/quick-answer.tsx';
import { HASTY } from '../../approvals/settled/hasty.ts';
import { TimeLeft } from '../../approvals/time-left.tsx';
import type { Question } from '../../approvals/use-questions.ts';
import { useQuickDecision } from '../../approvals/use-quick-decision.ts';
import { useSay } from '../../language/use-say.ts';
import { rowAddress } from '../../row/row-address.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { DO_CELL, NEED_GRID, NeedLead, WHY_CELL } from './row-cells.tsx';

interface NeedsYouRowProps {
	question: Question;
	/** The row's part in the list's one tab stop. */
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
}

/** An open approval as one line, decidable on the spot where all of it is on screen; no column changes its width. */
export function NeedsYouRow({ question, rowProps }: NeedsYouRowProps) {
	const say = useSay();
	const { approval, session } = question;
	const quick = useQuickDecision(question);
	const { state, isOver, open } = quick;
	return (
		<li
			{...rowProps}
			aria-label={visibleString(headlineOf(approval, say))}
			ref={(element) => {
				for (const set of quick.refs) set(element);
			}}
			onKeyDown={({ key, repeat, target, currentTarget }) => {
				if (key === 'Enter' && !repeat && target === currentTarget) open();
			}}
			className={NEED_GRID}
		>
			<NeedLead
				glyph="◆"
				tone="text-wait"
				time={isOver ? <span className="sr-only">{say('Asked you')}</span> : <TimeLeft approval={approval} />}
				session={session}
				href={rowAddress(session.sessionId, rowKeyOfApproval(approval))}
				notice={
					quick.settled.isHasty && (
						<span role="status" className="block truncate text-warn">
							{say(HASTY)}
						</span>
					)
				}
			/>
			<AskedLine approval={approval} ask={quick.ask} onCut={quick.setCut} className={WHY_CELL} />
			<QuickAnswer approval={approval} quick={quick} className={DO_CELL} />
			{quick.underWay !== undefined && state.step === 'open' && (
				<p role="status" className="col-span-full text-right text-run">
					<AgentText>{say.told(quick.underWay)}</AgentText>
				</p>
			)}
			{state.step === 'refused' && !isOver && (
				<p role="alert" className="col-span-full text-right text-warn">
					<AgentText>{say.known(state.message)}</AgentText>
				</p>
			)}
		</li>
	);
}
