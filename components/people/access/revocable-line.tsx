import { type ReactNode, useState } from 'react';
import { shortAccess } from '#lib/approvals/call-words.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import type { Answer } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { useAction } from '../../live/use-action.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

interface RevocableLineProps<Data> {
	/** Accessible name of the button, if its text alone is ambiguous. */
	name?: string;
	label?: string | undefined;
	sure: string;
	warning?: ReactNode;
	isAskedFor?: boolean;
	onRevoke: () => Promise<Answer<Data>>;
	onDone: () => void;
	children: ReactNode;
}

/** A list entry with a button that revokes it. The button must be pressed twice, because revoking cannot be undone. */
export function RevocableLine<Data>(props: RevocableLineProps<Data>) {
	const { name, label, sure, warning, isAskedFor = false, onRevoke, onDone, children } = props;
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
				'flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b py-1',
				isAskedFor && 'bg-selected px-2',
			)}
		>
			<span className="min-w-0 flex-1">{children}</span>
			<Alert>{refusal}</Alert>
			{isConfirming && warning}
			<Button
				size="small"
				className="md:min-w-28"
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

interface AccessFactsProps {
	id: string;
	name: string;
	about?: ReactNode;
	usedAt?: string | undefined;
	since: string;
	until?: string | undefined;
	isAskedFor?: boolean;
	isCurrent?: boolean;
}

/** What is known of a sign-in, token or passkey, in columns. */
export function AccessFacts(props: AccessFactsProps) {
	const { id, name, about, usedAt, since, until, isAskedFor, isCurrent } = props;
	const say = useSay();
	const now = useNow();
	const day = (at: string) => clockOrDate(at, now, say.language);
	return (
		<span className="flex flex-col md:grid md:grid-cols-[minmax(0,1fr)_24rem] md:items-center md:gap-x-4">
			<span className="min-w-0" title={say('Id {id}', { id: shortAccess(id) })}>
				<AgentText className="font-medium">{name}</AgentText>
				{isAskedFor && <code className="pl-2 font-mono text-mono text-muted">{shortAccess(id)}</code>}{' '}
				{isCurrent && <Tag>{say('this one')}</Tag>}
				{about && <span className="block text-muted text-small">{about}</span>}
			</span>
			<span className="flex flex-wrap gap-x-2 text-muted max-md:text-small md:grid md:grid-cols-[9rem_7rem_7rem]">
				<span className="max-md:empty:hidden">{usedAt && say('last used {time}', { time: day(usedAt) })}</span>
				<span>{say('since {since}', { since: day(since) })}</span>
				<span>{until && say('until {until}', { until: day(until) })}</span>
			</span>
		</span>
	);
}

export function Tag({ children }: { children: ReactNode }) {
	return <span className="rounded border border-line px-1 text-muted text-small">{children}</span>;
}

export function bringIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
}
