import type { ReactNode } from 'react';
import { AgentText } from './text/agent-text.tsx';

interface FactProps {
	name: string;
	/** Written as code is. */
	isCode?: boolean;
	/** A text may be an agent's. */
	children: ReactNode;
}

function Value({ isCode = false, children }: Omit<FactProps, 'name'>) {
	if (typeof children !== 'string') return children;
	return <AgentText {...(isCode && { className: 'font-mono text-mono' })}>{children}</AgentText>;
}

/** One named fact of the detail pane; nothing where the fact is unknown. */
export function DetailFact({ name, children, ...look }: FactProps) {
	if (children === undefined || children === null || children === '') return null;
	return (
		<div className="flex gap-3 py-1">
			<dt className="w-20 shrink-0 text-muted">{name}</dt>
			<dd className="min-w-0 flex-1 [overflow-wrap:anywhere]">
				<Value {...look}>{children}</Value>
			</dd>
		</div>
	);
}

export function GridFact({ name, children, ...look }: FactProps) {
	return (
		<>
			<dt className="text-muted">{name}</dt>
			<dd className="[overflow-wrap:anywhere]">
				<Value {...look}>{children}</Value>
			</dd>
		</>
	);
}
