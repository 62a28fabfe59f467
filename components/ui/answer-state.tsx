import { useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { cn } from './cn.ts';
import { AgentText } from './text/agent-text.tsx';

/** Shown until a page's first answer has loaded; `error` says why it failed. */
export function AnswerPending({ label, error }: { label: string; error: string | null }) {
	if (error === null) return <Skeleton label={label} />;
	return <Alert className="p-4">{error}</Alert>;
}

/** Says that a page could not be refreshed and shows older data; empty without an error. */
export function StaleNote({ error, className }: { error: string | null; className?: string }) {
	const say = useSay();
	if (error === null) return null;
	return <Alert className={className}>{say('{error} What is shown may be old.', { error: say.known(error) })}</Alert>;
}

const PATIENCE_MS = 300;
const widths = ['w-2/3', 'w-1/2', 'w-3/4', 'w-3/5', 'w-1/2', 'w-2/3'];

/** Loading placeholder. Appears after 300 ms, so that fast answers do not flicker. */
export function Skeleton({ label }: { label: string }) {
	const [shown, setShown] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setShown(true), PATIENCE_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<div role="status" aria-label={label} className="min-h-32 p-4">
			{shown &&
				widths.map((width, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a fixed list.
					<div key={index} className={`my-2 h-4 rounded bg-hover ${width}`} />
				))}
		</div>
	);
}

/** Why something failed or was refused; empty without text. */
export function Alert(props: { children: string | null | undefined; className?: string | undefined }) {
	const { children, className } = props;
	const say = useSay();
	if (!children) return null;
	return (
		<p role="alert" className={cn('text-warn', className)}>
			<AgentText>{say.known(children)}</AgentText>
		</p>
	);
}
