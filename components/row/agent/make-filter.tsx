'use client';
import { agentTitle } from '#lib/agents/agent-table.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useMakeParam, useMakes } from './use-makes.ts';

/** A chip for each client that a list may be narrowed to; nothing where there is one alone. */
export function MakeFilter({ className }: { className?: string }) {
	const say = useSay();
	const [make, setMake] = useMakeParam();
	const makes = useMakes();
	const offered = make === null || makes.includes(make) ? makes : [make, ...makes];
	if (offered.length < 2 && make === null) return null;
	return (
		<fieldset aria-label={say('Client')} className={cn('flex flex-wrap items-center gap-1', className)}>
			{offered.map((name) => (
				<button
					key={name}
					type="button"
					aria-pressed={name === make}
					onClick={() => void setMake(name === make ? null : name)}
					className={cn(
						'h-6 max-w-40 truncate rounded-full border border-edge px-2.5 text-muted hover:bg-hover pointer-coarse:h-10',
						name === make && 'border-accent bg-selected text-text',
					)}
				>
					<AgentText>{agentTitle(name)}</AgentText>
				</button>
			))}
		</fieldset>
	);
}
