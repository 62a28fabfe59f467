import { Phrase } from '../language/phrase.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** In the place of what decides: at a hub people only watch. */
export function DecidedAt({ machine, className }: { machine: string; className?: string }) {
	return (
		<span className={cn('min-w-0 truncate text-muted', className)}>
			<Phrase of="is decided at {machine}" with={{ machine: <AgentText className="text-text">{machine}</AgentText> }} />
		</span>
	);
}
