'use client';
import { useId, useState } from 'react';
import { ariaKeys, shortcuts } from '../frame/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import type { DecisionState } from './use-decision.ts';

interface CardActionsProps {
	state: DecisionState;
	/** Why Approve may not be pressed yet; null when it may. */
	blocked: string | null;
	onDecide: (decision: 'approve' | 'deny', reason: string) => void;
	/** A review is allowed or blocked; a denied call is approved or stays denied. */
	isReview?: boolean;
	reason: string;
	onReason: (reason: string) => void;
}

/** The reason field and the two buttons. */
export function CardActions({ state, blocked, onDecide, reason, onReason, isReview = false }: CardActionsProps) {
	const reasonId = useId();
	const blockedId = useId();
	const [asked, setAsked] = useState(false);
	const busy = state.step === 'sending';
	return (
		<div className="@container flex flex-col gap-1 pt-1">
			<div className="flex @xl:flex-row flex-col gap-2">
				<span className="flex flex-1 items-center gap-2">
					<label htmlFor={reasonId} className="text-muted">
						Reason
					</label>
					<input
						id={reasonId}
						value={reason}
						maxLength={2000}
						onChange={(event) => onReason(event.target.value)}
						placeholder="optional; the agent reads it"
						className="h-7 min-w-0 flex-1 rounded border border-edge bg-surface px-2 placeholder:text-muted"
					/>
				</span>
				<span className="flex gap-2">
					<Button
						kind="primary"
						disabled={busy || blocked !== null}
						aria-describedby={blocked === null ? undefined : blockedId}
						aria-keyshortcuts={ariaKeys(shortcuts.approve)}
						onFocus={() => setAsked(true)}
						onClick={() => onDecide('approve', reason)}
					>
						<Kbd className="hidden sm:inline-flex">A</Kbd> {isReview ? 'Allow' : 'Approve once'}
					</Button>
					<Button
						kind="danger"
						disabled={busy}
						aria-keyshortcuts={ariaKeys(shortcuts.deny)}
						onClick={() => onDecide('deny', reason)}
					>
						<Kbd className="hidden sm:inline-flex">D</Kbd> {isReview ? 'Block' : 'Deny'}
					</Button>
				</span>
			</div>
			{blocked !== null && (
				<p id={blockedId} className={asked ? 'text-warn' : 'text-muted'}>
					{blocked}
				</p>
			)}
			{state.step === 'refused' && (
				<p role="alert" className="text-warn">
					{state.message}
				</p>
			)}
		</div>
	);
}
