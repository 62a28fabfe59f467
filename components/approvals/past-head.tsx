import { useSummary } from '../live/use-summary.ts';
import { MakeMark } from '../row/agent/make-mark.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { placeOf } from '#lib/session/session-list.ts';

/** The first line of something that is over: what was asked, and in which session. */
export function PastHead({ what, sessionId }: { what: string; sessionId: string }) {
	const session = useSummary(sessionId);
	return (
		<span className="flex flex-wrap gap-x-3">
			<AgentText className="min-w-0 max-w-full truncate font-medium">{what}</AgentText>
			<AgentText className="min-w-0 max-w-full truncate text-muted">
				{placeOf(session?.project, session?.branch, sessionId, session?.machine)}
			</AgentText>
			<MakeMark make={session?.agent} />
			{session?.title && (
				<AgentText className="min-w-0 max-w-full truncate text-muted">{`“${session.title}”`}</AgentText>
			)}
		</span>
	);
}
