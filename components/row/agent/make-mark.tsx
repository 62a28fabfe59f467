import { agentTitle } from '#lib/agents/agent-table.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useMakes } from './use-makes.ts';

/** Which make of agent it is; nothing where all that are known here are of one make. */
export function MakeMark({ make, className }: { make: string | undefined; className?: string }) {
	const hasOthers = useMakes().length > 1;
	if (make === undefined || !hasOthers) return null;
	return (
		<AgentText className={cn('min-w-0 truncate rounded border border-line px-1 text-muted text-small', className)}>
			{agentTitle(make)}
		</AgentText>
	);
}
