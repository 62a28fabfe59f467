import { agentTitle } from '#lib/agents/agent-table.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useMakes } from './use-makes.ts';

interface MakeMarkProps {
	make: string | undefined;
	/** Of its name. */
	className?: string;
	/** Of the mark, where there is no room for the name. */
	markClassName?: string;
}

/** Which client it is: a mark with its name on hover; where several are in use, its name. */
export function MakeMark({ make, className, markClassName }: MakeMarkProps) {
	const hasOthers = useMakes().length > 1;
	if (make === undefined) return null;
	const name = agentTitle(make);
	return (
		<span title={name} className="inline-flex min-w-4 shrink-[99] items-center text-muted text-small">
			{hasOthers && <AgentText className={cn('min-w-0 truncate', className)}>{name}</AgentText>}
			{(!hasOthers || markClassName !== undefined) && (
				<span
					role="img"
					aria-label={name}
					className={cn(
						'grid size-4 shrink-0 place-items-center rounded-sm border border-line bg-raised leading-none',
						hasOthers && markClassName,
					)}
				>
					{[...name][0]}
				</span>
			)}
		</span>
	);
}
