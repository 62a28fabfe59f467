'use client';
import { useId } from 'react';
import { useSay } from '../language/use-say.ts';
import { NOT_CONNECTED, useConnected } from '../live/use-connected.ts';
import { Button } from '../ui/button.tsx';
import { useSettled } from './settled/use-settled.ts';
import type { useSelection } from './use-selection.ts';

/** Decides the chosen cards together, and says of each that was not decided why. */
export function BulkBar({ bulk }: { bulk: ReturnType<typeof useSelection> }) {
	const say = useSay();
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
			aria-label={say('Chosen together')}
			className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border border-line bg-raised px-3 py-1.5"
		>
			{count > 0 && (
				<>
					<span className="flex-1">{say('{count} chosen', { count })}</span>
					<Button size="small" kind="primary" {...act} onClick={() => press('approve')}>
						{say('Approve {count}', { count })}
					</Button>
					<Button size="small" kind="danger" {...act} onClick={() => press('deny')}>
						{say('Deny {count}', { count })}
					</Button>
					<Button size="small" kind="quiet" onClick={clear}>
						{say('Clear')}
					</Button>
					{!isConnected && (
						<p id={whyId} className="basis-full text-warn">
							{say(NOT_CONNECTED)}
						</p>
					)}
				</>
			)}
			{result && (
				<div role="status" className="basis-full">
					<p>
						{result.decision === 'approve'
							? say('{count} approved', { count: result.done })
							: say('{count} denied', { count: result.done })}
						{result.left.length > 0 && say(', {count} not:', { count: result.left.length })}
					</p>
					{result.left.map((why, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: sentences of one result never move.
						<p key={at} className="text-warn">
							{say.known(why)}
						</p>
					))}
				</div>
			)}
		</section>
	);
}
