import type { ReactNode } from 'react';
import { clockTime } from '#lib/time/clock.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

interface StoryLineProps {
	/** ISO */
	at: string | undefined;
	/** Inside an open fold, where the time says nothing new. */
	isQuiet?: boolean;
	actor: string;
	outcome: ReactNode;
	children: ReactNode;
}

/** The columns of the story: when, who, what, outcome. Narrow screens put what happened on a line of its own. */
export function StoryLine({ at, isQuiet = false, actor, outcome, children }: StoryLineProps) {
	return (
		<span className="grid w-full grid-cols-[4rem_minmax(0,1fr)_auto] items-center gap-x-3 md:h-7 md:grid-cols-[4rem_7rem_minmax(0,1fr)_auto]">
			<time dateTime={at} className={cn('whitespace-nowrap font-mono text-mono text-muted', isQuiet && 'opacity-0')}>
				{at && clockTime(at)}
			</time>
			<AgentText className="truncate text-muted">{actor}</AgentText>
			<span className="order-last col-span-3 truncate md:order-none md:col-span-1">{children}</span>
			<span>{outcome}</span>
		</span>
	);
}
