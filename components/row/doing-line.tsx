import type { Doing } from '#lib/contract/sessions/read-model/session-summary.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

interface DoingLineProps {
	doing: Doing | undefined;
}

/** `developer · Edit src/total.ts · 0:07`: who does what, and for how long; the text is cut, the rest is not. */
export function DoingLine({ doing }: DoingLineProps) {
	const say = useSay();
	if (!doing) return null;
	const { agent, since } = doing;
	// What is over is what the agent said last.
	const text = since === undefined ? doing.text : say.told(doing.text);
	return (
		<span className="flex min-w-0 items-baseline gap-1.5 text-muted" title={visibleString(text)}>
			{agent !== undefined && (
				<>
					<AgentText className="max-w-1/2 shrink-0 truncate text-text">{agent}</AgentText>
					<span aria-hidden>·</span>
				</>
			)}
			<AgentText className="min-w-0 truncate font-mono text-mono">{text}</AgentText>
			{since !== undefined && (
				<>
					<span aria-hidden>·</span>
					<span className="shrink-0 tabular-nums">
						<LiveDuration from={since} />
					</span>
				</>
			)}
		</span>
	);
}
