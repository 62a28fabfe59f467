'use client';
import Link from 'next/link';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { DecidedAt } from './decided-at.tsx';
import { Receipt } from './receipt.tsx';
import type { QuickDecision } from './use-quick-decision.ts';

const callWords = { approve: 'Approve', deny: 'Deny', approved: 'Approved', denied: 'Denied' } as const;
const reviewWords = { approve: 'Allow', deny: 'Block', approved: 'Allowed', denied: 'Blocked' } as const;

/** The buttons of a line that asks; once it is decided, its receipt in the same place and of the same size. */
export function QuickAnswer({
	approval,
	quick,
	className,
}: {
	approval: ApprovalView;
	quick: QuickDecision;
	className?: string;
}) {
	const say = useSay();
	const { state, isOver, isOpen, isLong, isBusy } = quick;
	const { approve, deny, approved, denied } = approval.review ? reviewWords : callWords;
	const mine = 'decision' in state ? say(state.decision === 'approve' ? approved : denied) : null;
	return (
		<span
			ref={quick.settled.ref}
			className={cn(
				'flex min-h-6 pointer-coarse:min-h-11 items-center justify-end gap-2 @min-[900px]:w-52',
				// What became of it is a sentence, and takes the place of what was asked.
				isOver && '@min-[900px]:w-96',
				className,
			)}
		>
			{(isOver || state.step === 'done') &&
				(quick.ended ? (
					<Receipt approval={quick.ended} isLate={state.step === 'refused'} />
				) : (
					<span role="status">{state.step === 'done' ? mine : say('It is over.')}</span>
				))}
			{state.step === 'held' && !isOver && (
				<span role="status" className="inline-flex items-center gap-2">
					<Phrase of="{decided} in {time}" with={{ decided: mine, time: <Countdown until={state.until} /> }} />
					<Button size="small" onClick={quick.undo}>
						{say('Undo')}
					</Button>
				</span>
			)}
			{isOpen && !isLong && (
				<Button
					kind="primary"
					size="small"
					className="md:min-w-18 max-md:grow"
					title={quick.approveBlock === null ? undefined : say(quick.approveBlock)}
					disabled={isBusy || quick.approveBlock !== null}
					onClick={() => quick.decide('approve')}
				>
					{say(approve)}
				</Button>
			)}
			{isOpen && (
				<Button
					kind="danger"
					size="small"
					className="max-md:grow"
					title={quick.denyBlock === null ? undefined : say(quick.denyBlock)}
					disabled={isBusy}
					onClick={() => quick.decide('deny')}
				>
					{say(deny)}
				</Button>
			)}
			{!isOver && quick.machine !== undefined && <DecidedAt machine={quick.machine} />}
			{!isOver && quick.machine === undefined && state.step !== 'held' && state.step !== 'done' && (
				<Link
					ref={quick.cardRef}
					href={`/approvals?card=${encodeURIComponent(approval.approvalId)}`}
					title={isLong ? say('Not all of it fits here: read it on its card before you approve it') : undefined}
					className={cn(
						'inline-flex h-6 pointer-coarse:h-10 items-center rounded border border-transparent px-2 text-accent hover:bg-hover',
						isLong && 'order-first justify-center border-accent pointer-coarse:h-11 md:min-w-18',
					)}
				>
					{say('Open')}
				</Link>
			)}
		</span>
	);
}
