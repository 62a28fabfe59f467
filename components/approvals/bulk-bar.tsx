'use client';
import { useId } from 'react';
import { NOT_CONNECTED, useConnected } from '../live/use-connected.ts';
import { useSettled } from '../settled/use-settled.ts';
import { Button } from '../ui/button.tsx';
import type { useSelection } from './use-selection.ts';

/** Decides the chosen cards together, and says of each that was not decided why. */
export function BulkBar({ bulk }: { bulk: ReturnType<typeof useSelection> }) {
	const { selection, result, isBusy, decideAll, clear } = bulk;
	const count = selection.chosen.size;
	const isConnected = useConnected();
	const whyId = useId();
	const settled = useSettled<HTMLElement>([...selection.chosen].join(' '));
	const press = (decision: 'approve' | 'deny') => {
		if (settled.mayPress()) void decideAll(decision);
	};
	const act = {
		disabled: isBusy || !isConnected || !settled.isSettled,
		'aria-describedby': isConnected ? undefined : whyId,
	};
	if (count === 0 && !result) return null;
	return (
		<section
			ref={settled.ref}
			aria-label="Chosen together"
			className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border border-line bg-raised px-3 py-1.5"
		>
			{count > 0 && (
				<>
					<span className="flex-1">{count} chosen</span>
					<Button size="small" kind="primary" {...act} onClick={() => press('approve')}>
						Approve {count}
					</Button>
					<Button size="small" kind="danger" {...act} onClick={() => press('deny')}>
						Deny {count}
					</Button>
					<Button size="small" kind="quiet" onClick={clear}>
						Clear
					</Button>
					{!isConnected && (
						<p id={whyId} className="basis-full text-warn">
							{NOT_CONNECTED}
						</p>
					)}
				</>
			)}
			{result && (
				<div role="status" className="basis-full">
					<p>
						{result.done} {result.decision === 'approve' ? 'approved' : 'denied'}
						{result.left.length > 0 && `, ${result.left.length} not:`}
					</p>
					{result.left.map((why, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: sentences of one result never move.
						<p key={at} className="text-warn">
							{why}
						</p>
					))}
				</div>
			)}
		</section>
	);
}
