import { type ReactNode, useState } from 'react';
import { useSay } from '../../language/use-say.ts';
import type { Answer } from '../../live/call-route.ts';
import { useAction } from '../../live/use-action.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';

interface RevocableLineProps<Data> {
	/** Accessible name of the button, if its text alone is ambiguous. */
	name?: string;
	/** Text of the button before it is pressed. */
	label?: string | undefined;
	sure: string;
	warning?: ReactNode;
	isAskedFor?: boolean;
	className?: string;
	onRevoke: () => Promise<Answer<Data>>;
	onDone: () => void;
	children: ReactNode;
}

/** A list entry with a button that revokes it. The button must be pressed twice, because revoking cannot be undone. */
export function RevocableLine<Data>(props: RevocableLineProps<Data>) {
	const { name, label, sure, warning, isAskedFor = false, className, onRevoke, onDone, children } = props;
	const say = useSay();
	const { isBusy, refusal, run } = useAction();
	const [isConfirming, setConfirming] = useState(false);

	async function act() {
		if (!isConfirming) return setConfirming(true);
		await run(onRevoke(), onDone);
		setConfirming(false);
	}

	return (
		<li
			ref={isAskedFor ? bringIntoView : undefined}
			aria-current={isAskedFor || undefined}
			className={cn(
				'flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b px-2 py-1',
				className,
				isAskedFor && 'bg-selected px-2',
			)}
		>
			<span className="min-w-0 flex-1">{children}</span>
			<Alert>{refusal}</Alert>
			{isConfirming && warning}
			<Button
				size="small"
				kind={isConfirming ? 'danger' : 'plain'}
				disabled={isBusy}
				aria-label={isConfirming ? undefined : name}
				onClick={() => void act()}
			>
				{isConfirming ? sure : (label ?? say('Revoke'))}
			</Button>
		</li>
	);
}

export function bringIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
}
