import { personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Message, Say } from '#lib/messages/say.ts';
import { shortPath } from '#lib/text/printable.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { useRoute } from '../live/use-answer.ts';
import { Fold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { When } from '../ui/when.tsx';

export function CardBackground({ sessionId, approval }: { sessionId: string; approval: ApprovalView }) {
	const say = useSay();
	const { message, calls } = useBackground(sessionId, approval);
	return (
		<>
			{message && (
				<p className="line-clamp-3">
					<span className="text-muted">{say('The agent said: ')}</span>
					<AgentText>{`“${message}”`}</AgentText>
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

/** Earlier decisions about the same question (equal fingerprint), whatever else the call contains. */
function SimilarDecisions({ approvalId }: { approvalId: string }) {
	const say = useSay();
	const { data } = useRoute('GET /api/approvals', { query: { limit: 20, similarTo: approvalId } });
	const similar = data?.approvals.filter(({ state }) => state !== 'waiting') ?? [];
	if (similar.length === 0) return null;
	return (
		<Fold title={say('Before: {counts}', { counts: countsOf(similar, say) })}>
			<ul className="max-h-40 overflow-auto">
				{similar.map(({ id, decidedAt, requestedAt, ...record }) => (
					<li key={id} className="flex gap-3">
						<When at={decidedAt ?? requestedAt} className="w-14 shrink-0" />
						<AgentText>{personWords({ approvalId: id, ...record }, say)}</AgentText>
					</li>
				))}
			</ul>
		</Fold>
	);
}

const stateCounts = {
	waiting: '{count} waiting',
	approved: '{count} approved',
	denied: '{count} denied',
	answered: '{count} answered',
	expired: '{count} expired',
	abandoned: '{count} abandoned',
	late: '{count} approved too late',
} as const satisfies Record<ApprovalRecord['state'], Message>;

/** `2 similar, 1 approved, 1 denied` */
function countsOf(similar: readonly ApprovalRecord[], say: Say): string {
	const counts = new Map<ApprovalRecord['state'], number>();
	for (const { state } of similar) counts.set(state, (counts.get(state) ?? 0) + 1);
	const parts = [...counts].map(([state, count]) => say(stateCounts[state], { count }));
	return [say('{count} similar', { count: similar.length }), ...parts].join(say(', '));
}

interface Background {
	message: string | null;
	calls: string[];
}

const SHOWN_CALLS = 3;
const nothing: Background = { message: null, calls: [] };

function useBackground(sessionId: string, approval: ApprovalView): Background {
	// Compared as JSON, so that the card renders again only when its content has changed.
	const live = useSession(sessionId, ({ view }) => view && JSON.stringify(backgroundOf(view, approval)));
	const { data } = useRoute('GET /api/sessions/:id', live ? null : { params: { id: sessionId } });
	if (live) return JSON.parse(live) as Background;
	return data ? backgroundOf(data.session, approval) : nothing;
}

function backgroundOf({ lastMessage, calls, cwd }: SessionView, approval: ApprovalView): Background {
	const ordered = [...calls].sort((a, b) => a.seq - b.seq);
	// A client's own prompt does not name its call, so find the call by tool and title.
	const own = ordered.findLastIndex(({ toolUseId, tool, title }) =>
		approval.toolUseId === undefined
			? tool === approval.tool && title === approval.title
			: toolUseId === approval.toolUseId,
	);
	const before = (own === -1 ? ordered : ordered.slice(0, own)).slice(-SHOWN_CALLS);
	return {
		message: lastMessage ?? null,
		calls: before
			.map(({ tool, title }) => [tool, shortPath(title, cwd ?? null)].filter(Boolean).join(' ').slice(0, 200))
			.filter(Boolean),
	};
}
