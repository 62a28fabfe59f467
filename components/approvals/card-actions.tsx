'use client';
import { type ComponentProps, useId, useState } from 'react';
import type { Decision } from '#lib/contract/events/catalogue/approval.ts';
import type { Plain } from '#lib/messages/say.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { NOT_CONNECTED, useConnected } from '../live/use-connected.ts';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { ariaKeys } from '../ui/keys/shortcut.ts';
import { shortcuts } from '../ui/keys/shortcuts.ts';
import { HASTY } from './settled/hasty.ts';
import type { DecisionState } from './use-decision.ts';

interface CardActionsProps {
	state: DecisionState;
	/** It has stood still long enough to be pressed. */
	isSettled: boolean;
	/** A press has just been dropped, because it had not. */
	isHasty: boolean;
	/** Why Approve may not be pressed yet; null when it may. */
	blocked: Plain | null;
	onDecide: (decision: 'approve' | 'deny', stop?: true) => void;
	/** Opens the form to approve with another input, or to remember the approval; absent where it cannot be. */
	onEdit?: () => void;
	onRemember?: () => void;
	onUndo: () => void;
	/** A review is allowed or blocked; a denied call is approved or stays denied. */
	isReview?: boolean;
	/** Its client lets a denial end the agent's turn. */
	mayStop?: boolean;
	/** It is answered by a form of its own; here it can only be denied. */
	isQuestion?: boolean;
	/** An open form asks for the reason itself. */
	isReasonElsewhere?: boolean;
	reason: string;
	onReason: (reason: string) => void;
}

const heldWords: Record<Decision, Plain> = { approve: 'Approved', deny: 'Denied', answer: 'Answered' };

/** The reason field and the answers. While a decision can still be undone, that is all there is. */
export function CardActions(props: CardActionsProps) {
	const say = useSay();
	const { state, onDecide, onEdit, onRemember, onUndo, reason, onReason } = props;
	const { isReview = false, isQuestion = false, isReasonElsewhere = false, mayStop = true } = props;
	const reasonId = useId();
	const blockedId = useId();
	const [asked, setAsked] = useState(false);
	const isConnected = useConnected();
	const busy = state.step === 'sending' || !isConnected || !props.isSettled;
	const blocked = isConnected ? props.blocked : NOT_CONNECTED;
	const describedBy = blocked === null ? undefined : blockedId;
	if (state.step === 'held') {
		return (
			<p role="status" className="flex items-center gap-3 pt-1">
				<span>
					<Phrase
						of="{decided}; the agent is told in {time}. Stay on this page."
						with={{ decided: say(heldWords[state.decision]), time: <Countdown until={state.until} /> }}
					/>
				</span>
				<Button onClick={onUndo}>{say('Undo')}</Button>
			</p>
		);
	}
	return (
		<div className="@container relative flex flex-col gap-1 pt-1">
			{props.isHasty && (
				// Over the card: a line of its own would move the buttons once more.
				<span
					role="status"
					className="absolute right-0 bottom-full rounded border border-line bg-raised px-2 text-warn"
				>
					{say(HASTY)}
				</span>
			)}
			<div className="flex @xl:flex-row flex-col gap-2">
				<span hidden={isReasonElsewhere} className="flex flex-1 items-center gap-2">
					<label htmlFor={reasonId} className="text-muted">
						{say('Reason')}
					</label>
					<input
						id={reasonId}
						value={reason}
						maxLength={2000}
						onChange={(event) => onReason(event.target.value)}
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
							onFocus={() => setAsked(true)}
							onClick={() => onDecide('approve')}
						>
							<Kbd className="hidden sm:inline-flex pointer-coarse:hidden">A</Kbd>{' '}
							{isReview ? say('Allow') : say('Approve once')}
						</Button>
					)}
					<Button
						kind="danger"
						disabled={busy}
						aria-describedby={isConnected ? undefined : describedBy}
						aria-keyshortcuts={ariaKeys(shortcuts.deny)}
						onClick={() => onDecide('deny')}
					>
						<Kbd className="hidden sm:inline-flex pointer-coarse:hidden">D</Kbd> {isReview ? say('Block') : say('Deny')}
					</Button>
				</span>
			</div>
			<span className="flex flex-wrap gap-2">
				{onRemember && (
					<MoreButton shortcut="remember" disabled={busy || blocked !== null} onClick={onRemember}>
						{say('Approve and remember…')}
					</MoreButton>
				)}
				{onEdit && (
					<MoreButton shortcut="editInput" disabled={busy || blocked !== null} onClick={onEdit}>
						{say('Edit input…')}
					</MoreButton>
				)}
				{!isReview && mayStop && (
					<MoreButton
						disabled={busy}
						title={say('Denies the call and ends the agent’s turn')}
						onClick={() => onDecide('deny', true)}
					>
						{say('Stop the agent')}
					</MoreButton>
				)}
			</span>
			{blocked !== null && (!isQuestion || !isConnected) && (
				<p id={blockedId} className={asked || !isConnected ? 'text-warn' : 'text-muted'}>
					{say(blocked)}
				</p>
			)}
			{state.step === 'refused' && (
				<p role="alert" className="text-warn">
					{say.known(state.message)}
				</p>
			)}
		</div>
	);
}

interface MoreButtonProps extends Omit<ComponentProps<typeof Button>, 'children'> {
	shortcut?: 'remember' | 'editInput';
	children: string;
}

/** An answer beside the two plain ones. */
function MoreButton({ shortcut, children, ...props }: MoreButtonProps) {
	const key = shortcut && shortcuts[shortcut];
	return (
		<Button size="small" aria-keyshortcuts={key && ariaKeys(key)} {...props}>
			{key && <Kbd className="hidden sm:inline-flex pointer-coarse:hidden">{key.show[0]}</Kbd>} {children}
		</Button>
	);
}
