'use client';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { suggestionWords } from '#lib/session/fold-approval.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { OpenedForm } from '../ui/opened-form.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { CardActions } from './card-actions.tsx';
import { EditInput } from './edit-input.tsx';
import { HubLevel } from './hub-level.tsx';
import { RememberForm } from './remember-form.tsx';
import type { Card } from './use-card.ts';

/** The answers to an open card, with the forms of the longer ones. */
export function CardAnswer({ approval, card }: { approval: ApprovalView; card: Card }) {
	const say = useSay();
	const { state, form, may, ask, isFree } = card;
	return (
		<div ref={card.settled.ref} className="flex flex-col gap-1">
			{card.machine && <HubLevel machine={card.machine} isAsked={state.step === 'sending'} underWay={card.underWay} />}
			<CardActions
				isReview={approval.review !== undefined}
				isQuestion={ask?.isQuestion ?? false}
				isReasonElsewhere={form === 'remember'}
				state={state}
				isSettled={card.settled.isSettled}
				isHasty={card.settled.isHasty}
				blocked={card.blocked}
				reason={card.reason}
				onReason={card.setReason}
				onDecide={card.decide}
				onUndo={card.undo}
				mayStop={may.stop}
				{...(may.edit && { onEdit: () => card.openForm('edit') })}
				{...(may.remember && { onRemember: () => card.openForm('remember') })}
			/>
			{ask?.suggestions && ask.suggestions.length > 0 && (
				<div className="flex flex-wrap items-center gap-2">
					<span className="text-muted">{say('The client suggests:')}</span>
					{ask.suggestions.map((suggestion, at) => (
						<Button
							// biome-ignore lint/suspicious/noArrayIndexKey: the client's list never moves.
							key={at}
							size="small"
							className="h-auto min-h-6 max-w-full shrink whitespace-normal text-left [overflow-wrap:anywhere] pointer-coarse:h-auto pointer-coarse:min-h-10"
							disabled={!isFree || card.blocked !== null}
							onClick={() => card.approveWithSuggestion(at)}
						>
							<span>
								<Phrase
									of="Approve; {lasting}"
									with={{ lasting: <AgentText>{suggestionWords(suggestion, say)}</AgentText> }}
								/>
							</span>
						</Button>
					))}
				</div>
			)}
			{form === 'edit' && ask && (
				<OpenedForm onCancel={card.closeForm}>
					<EditInput
						input={ask.input}
						denied={card.deniedAnew}
						isBusy={!isFree}
						onApprove={card.approveWith}
						onCancel={card.closeForm}
					/>
				</OpenedForm>
			)}
			{form === 'remember' && (
				<OpenedForm onCancel={card.closeForm}>
					<RememberForm
						approvalId={approval.approvalId}
						reason={card.reason}
						isBusy={!isFree}
						scopes={card.scopes}
						machine={card.machine?.name}
						onApprove={card.approveAndRemember}
						onCancel={card.closeForm}
					/>
				</OpenedForm>
			)}
		</div>
	);
}
