import { useSay } from '../language/use-say.ts';
import { cn } from './cn.ts';
import { AgentText } from './text/agent-text.tsx';

/** Why something was not done or could not be read; nothing without words. */
export function Alert({
	children,
	className,
}: {
	children: string | null | undefined;
	className?: string | undefined;
}) {
	const say = useSay();
	if (!children) return null;
	return (
		<p role="alert" className={cn('text-warn', className)}>
			<AgentText>{say.known(children)}</AgentText>
		</p>
	);
}
