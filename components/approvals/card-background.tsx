'use client';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { SimilarDecisions } from './similar-decisions.tsx';
import { useBackground } from './use-background.ts';

/** What led to the question, and what people decided about it before. */
export function CardBackground({ sessionId, approval }: { sessionId: string; approval: ApprovalView }) {
	const say = useSay();
	const { said, calls } = useBackground(sessionId, approval.toolUseId);
	return (
		<>
			{said && (
				<p className="line-clamp-3">
					<span className="text-muted">{say('The agent said: ')}</span>
					<AgentText>{`“${said}”`}</AgentText>
				</p>
			)}
			{calls.length > 0 && (
				<p className="truncate">
					<span className="text-muted">{say('Before it: ')}</span>
					<AgentText>{calls.join(' · ')}</AgentText>
				</p>
			)}
			<SimilarDecisions approvalId={approval.approvalId} />
		</>
	);
}
