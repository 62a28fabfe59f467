import type { ReactNode } from 'react';
import { AgentText } from './text/agent-text.tsx';

interface FactProps {
	name: string;
	/** Shown in a monospaced font. */
	isCode?: boolean;
	/** May be agent text. */
	children: ReactNode;
}

function Value({ isCode = false, children }: Omit<FactProps, 'name'>) {
	if (typeof children !== 'string') return children;
	return <AgentText {...(isCode && { className: 'font-mono text-mono' })}>{children}</AgentText>;
}

/** A labelled fact in the detail pane; omitted if the value is missing. */
export function DetailFact({ name, children, ...look }: FactProps) {
	if (children === undefined || children === null || children === '') return null;
	return (
		<div className="flex items-baseline gap-3 py-1">
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
