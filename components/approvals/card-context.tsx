'use client';
import Link from 'next/link';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { stageAt, stagesOf } from '#lib/session/workflow-progress.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { useSummary } from '../live/use-summary.ts';
import { MakeMark } from '../row/agent/make-mark.tsx';
import { rowAddress } from '../row/row-address.ts';
import { useActorName } from '../row/use-actor-name.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { rowKeyOfApproval } from './ask.ts';

/** Where the question comes from: project, branch, at a hub the machine, the session's title, stage, and who asked; leads to the row of the session. */
export function CardContext({ sessionId, approval }: { sessionId: string; approval: ApprovalView }) {
	const say = useSay();
	const session = useSummary(sessionId);
	const nameOf = useActorName(sessionId);
	const { state, requestedAt } = approval;
	const asOf = useSession(
		sessionId,
		({ view }) => view && requestedAt && stageAt(stagesOf(view.workflow), requestedAt),
	);
	const now = state === 'waiting' ? session?.stages.find((each) => each.state === 'active')?.key : undefined;
	// The list of sessions knows the stage of now only, which is that of the question while its agent waits.
	const isLoaded = useSession(sessionId, ({ view }) => view !== null);
	const stage = isLoaded ? asOf : now;
	const words = [
		session?.project ?? sessionId,
		session?.branch,
		session?.machine?.name,
		stage && say('stage {stage}', { stage }),
		say('asked by {agent}', { agent: approval.actor ?? nameOf(approval.agentId) }),
	];
	const title = session?.title;
	return (
		<Link
			href={rowAddress(sessionId, rowKeyOfApproval(approval))}
			className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 text-muted hover:text-text hover:underline"
		>
			<AgentText className="min-w-0 max-w-full truncate">{words.filter(Boolean).join(' · ')}</AgentText>
			<MakeMark make={session?.agent} />
			{title && <AgentText className="min-w-0 max-w-full truncate">{`“${title}”`}</AgentText>}
		</Link>
	);
}
