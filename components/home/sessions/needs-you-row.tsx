'use client';
import { placeOf } from '#lib/session/place-of.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { AskedLine } from '../../approvals/asked-line.tsx';
import { headlineOf } from '../../approvals/headline.ts';
import { QuickAnswer } from '../../approvals/quick-answer.tsx';
import { HASTY } from '../../approvals/settled/hasty.ts';
import { TimeLeft } from '../../approvals/time-left.tsx';
import type { Question } from '../../approvals/use-questions.ts';
import { useQuickDecision } from '../../approvals/use-quick-decision.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { MakeMark } from '../../row/agent/make-mark.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

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
			className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1"
		>
			<span className="inline-flex shrink-0 items-center gap-1.5 text-wait md:w-22">
				<span aria-hidden className="w-3 text-center">
					◆
				</span>
				<span className="hidden md:inline">{isOver ? say('Asked you') : say('Asks you')}</span>
			</span>
			<span className="flex min-w-0 flex-1 flex-col md:w-44 md:flex-none xl:w-60">
				<span className="flex min-w-0 items-center gap-2">
					<AgentText className="truncate font-medium">
						{placeOf(session.project, session.branch, session.sessionId, session.machine)}
					</AgentText>
					<MakeMark make={session.agent} className="shrink-[9999]" />
				</span>
				{session.title && <AgentText className="truncate text-muted text-small">{`“${session.title}”`}</AgentText>}
			</span>
			<AskedLine approval={approval} ask={quick.ask} onCut={quick.setCut} />
			{!isOver && (
				<span className="order-1 shrink-0 whitespace-nowrap text-wait md:order-none md:w-36">
					{quick.settled.isHasty ? (
						<span role="status" className="text-warn">
							{say(HASTY)}
						</span>
					) : (
						<Phrase of="waiting, {time}" with={{ time: <TimeLeft approval={approval} /> }} />
					)}
				</span>
			)}
			<QuickAnswer approval={approval} quick={quick} />
			{quick.underWay !== undefined && state.step === 'open' && (
				<p role="status" className="order-4 basis-full text-right text-run">
					<AgentText>{say.told(quick.underWay)}</AgentText>
				</p>
			)}
			{state.step === 'refused' && !isOver && (
				<p role="alert" className="order-4 basis-full text-right text-warn">
					<AgentText>{say.known(state.message)}</AgentText>
				</p>
			)}
		</li>
	);
}
