import { useId, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { suggestionWords } from '#lib/session/fold-approval.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { NOT_CONNECTED, useConnected } from '../live/store.ts';
import { Alert } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { ariaKeys, shortcuts } from '../ui/keys/shortcuts.ts';
import { OpenedForm } from '../ui/opened-form.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { buttonWords } from './call-details.ts';
import { EditInput } from './edit-input.tsx';
import { GrantForm } from './grants/grant-terms.tsx';
import { HASTY } from './still/use-stillness.ts';
import type { Card } from './use-card.ts';

export function CardAnswer({ approval, card }: { approval: ApprovalView; card: Card }) {
	const say = useSay();
	const { form, details, isFree } = card;
	return (
		<div ref={card.stillness.ref} className="flex flex-col gap-1">
			{card.machine && <HubLevel machine={card.machine} card={card} />}
			<CardActions approval={approval} card={card} />
			{details?.suggestions && details.suggestions.length > 0 && (
				<div className="flex flex-wrap items-center gap-2">
					<span className="text-muted">{say('The client suggests:')}</span>
					{details.suggestions.map((suggestion, index) => (
						<Button
							// biome-ignore lint/suspicious/noArrayIndexKey: the client's list keeps its order.
							key={index}
							size="small"
							className="h-auto min-h-6 max-w-full shrink whitespace-normal text-left [overflow-wrap:anywhere] pointer-coarse:h-auto pointer-coarse:min-h-10"
							disabled={!isFree || card.blocked !== null}
							onClick={() => card.approveWithSuggestion(index)}
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
			{form === 'edit' && details && (
				<OpenedForm onCancel={card.closeForm}>
					<EditInput input={details.input} card={card} />
				</OpenedForm>
			)}
			{form === 'remember' && (
				<OpenedForm onCancel={card.closeForm}>
					<div className="rounded border border-edge p-3">
						<GrantForm
							source={{ approvalId: approval.approvalId }}
							first={{ scope: 'session', reason: card.reason }}
							offered={card.scopes}
							action={say('Approve and remember')}
							isBusy={!isFree}
							note={
								card.machine &&
								say('It holds at {machine} alone, and ends with its membership.', { machine: card.machine.name })
							}
							onAct={card.approveAndRemember}
							onCancel={card.closeForm}
						/>
					</div>
				</OpenedForm>
			)}
		</div>
	);
}

/** Reason field and buttons. While a decision can still be undone, only the undo button. */
function CardActions({ approval, card }: { approval: ApprovalView; card: Card }) {
	const say = useSay();
	const isReview = approval.review !== undefined;
	const words = buttonWords(approval);
	const { state, decide, undo, reason, setReason, stillness } = card;
	const isQuestion = card.details?.isQuestion ?? false;
	const reasonId = useId();
	const blockedId = useId();
	const [isConfirming, setConfirming] = useState(false);
	const isConnected = useConnected();
	const busy = state.step === 'sending' || !isConnected || !stillness.isStill;
	const blocked = isConnected ? card.blocked : NOT_CONNECTED;
	const describedBy = blocked === null ? undefined : blockedId;
	if (state.step === 'delayed') {
		return (
			<p role="status" className="flex items-center gap-3 pt-1">
				<span>
					<Phrase
						of="{decided}; the agent receives it in {time}. Stay on this page."
						with={{ decided: say(words.done[state.decision]), time: <Countdown until={state.until} /> }}
					/>
				</span>
				<Button onClick={undo}>{say('Undo')}</Button>
			</p>
		);
	}
	return (
		<div className="@container relative flex flex-col gap-1 pt-1">
			{stillness.isHasty && (
				// Positioned above the card, because an extra line would move the buttons again.
				<span
					role="status"
					className="absolute right-0 bottom-full rounded border border-line bg-raised px-2 text-warn"
				>
					{say(HASTY)}
				</span>
			)}
			<div className="flex @xl:flex-row flex-col gap-2">
				<span hidden={card.form === 'remember'} className="flex flex-1 items-center gap-2">
					<label htmlFor={reasonId} className="text-muted">
						{say('Reason')}
					</label>
					<input
						id={reasonId}
						value={reason}
						maxLength={2000}
						onChange={(event) => setReason(event.target.value)}
						placeholder={say('optional; the agent reads it')}
						className="h-7 min-w-0 flex-1 pointer-coarse:h-10 rounded border border-edge bg-surface px-2 placeholder:text-muted"
					/>
				</span>
				<span className="flex gap-2 max-sm:*:flex-1">
					{!isQuestion && (
						<Button
							kind="primary"
							disabled={busy || blocked !== null}
							aria-describedby={describedBy}
							aria-keyshortcuts={ariaKeys(shortcuts.approve)}
							onFocus={() => setConfirming(true)}
							onClick={() => decide('approve')}
						>
							<Kbd className="hidden sm:inline-flex pointer-coarse:hidden">A</Kbd>{' '}
							{isReview ? say(words.approve) : say('Approve once')}
						</Button>
					)}
					<Button
						kind="danger"
						disabled={busy}
						aria-describedby={isConnected ? undefined : describedBy}
						aria-keyshortcuts={ariaKeys(shortcuts.deny)}
						onClick={() => decide('deny')}
					>
						<Kbd className="hidden sm:inline-flex pointer-coarse:hidden">D</Kbd> {say(words.deny)}
					</Button>
				</span>
			</div>
			<span className="-mx-2 flex flex-wrap gap-x-2 pt-1 empty:hidden max-sm:gap-x-0">
				<MoreAnswers card={card} isBlocked={busy || blocked !== null} />
				{!isReview && card.may.stop && (
					<Button
						kind="quiet"
						size="small"
						className="ml-auto text-err"
						disabled={busy}
						title={say('Denies the call and ends the agent’s turn')}
						onClick={() => decide('deny', true)}
					>
						{say('Stop the agent')}
					</Button>
				)}
			</span>
			{blocked !== null && (!isQuestion || !isConnected) && (
				<p id={blockedId} className={isConfirming || !isConnected ? 'text-warn' : 'text-muted'}>
					{say(blocked)}
				</p>
			)}
			{state.step === 'refused' && <Alert>{state.message}</Alert>}
		</div>
	);
}

const more = [
	{ form: 'remember', shortcut: shortcuts.remember, words: 'Approve and remember…' },
	{ form: 'edit', shortcut: shortcuts.editInput, words: 'Edit input…' },
] as const;

function MoreAnswers({ card: { may, openForm }, isBlocked }: { card: Card; isBlocked: boolean }) {
	const say = useSay();
	return more.map(
		({ form, shortcut, words }) =>
			may[form] && (
				<Button
					key={form}
					kind="quiet"
					size="small"
					className="text-accent"
					disabled={isBlocked}
					aria-keyshortcuts={ariaKeys(shortcut)}
					onClick={() => openForm(form)}
				>
					<Kbd className="hidden sm:inline-flex pointer-coarse:hidden">{shortcut.show[0]}</Kbd> {say(words)}
				</Button>
			),
	);
}

/** Tier and description of each level of a machine. */
const levels: Record<Machine['level'], { tier: 'H0' | 'H1' | 'H2'; what: Plain }> = {
	watch: { tier: 'H0', what: 'is decided at the machine alone' },
	hub: { tier: 'H1', what: 'believes this hub, without a passkey' },
	passkey: { tier: 'H2', what: 'checks your passkey itself' },
};

function HubLevel({ machine: { name, team, level }, card }: { machine: Machine; card: Card }) {
	const say = useSay();
	const { underWay } = card;
	const isSending = card.state.step === 'sending';
	if (underWay !== undefined && !isSending)
		return (
			<p role="status" className="text-run">
				<AgentText>{underWay}</AgentText>
			</p>
		);
	const { tier, what } = levels[level];
	return (
		<p role="status" className="text-muted">
			{isSending
				? say('{machine} is asked…', { machine: name })
				: say('{tier}: {machine} ({team}) {what}', { tier, machine: name, team, what: say(what) })}
		</p>
	);
}
