import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Doing, SessionStatus } from '../contract/sessions/read-model/session-summary.ts';
import type { AgentView, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { inWords, sentence } from '../messages/sentence.ts';
import { shortPath } from '../text/printable.ts';
import { find, isCallOpen, isReviewing } from './call.ts';
import { isAgentOpen } from './fold-agents.ts';

/** A running session without an event for this long has an alarm. */
const SILENT_AFTER_MS = 4 * 60_000;

/** The status at `now` (ms), so that a lapsed question does not keep it waiting. */
export function statusOf(
	view: Pick<SessionView, 'ended' | 'lost' | 'turn' | 'prompting' | 'approvals' | 'agents'>,
	now: number,
): SessionStatus {
	if (view.ended) return 'ended';
	if (view.lost) return 'lost';
	const asks = view.approvals.some(
		(approval) =>
			approval.state === 'waiting' &&
			!isReviewing(approval) &&
			(!approval.deadline || Date.parse(approval.deadline) > now),
	);
	if (asks || view.prompting) return 'waiting';
	const busy = view.agents.some(isAgentOpen);
	return view.turn === 'running' || busy ? 'running' : 'idle';
}

/** Why a session may be silent for long: an open call, or a review until its deadline (ISO). */
export function busyOf({
	calls,
	supervisor,
}: Pick<SessionView, 'calls' | 'supervisor'>): { until?: string } | undefined {
	if (calls.some(isCallOpen)) return {};
	const review = supervisor.findLast(({ allow, cutOffAt }) => allow === undefined && cutOffAt === undefined);
	return review && (review.deadline === undefined ? {} : { until: review.deadline });
}

export function isSilent(
	{ lastAt, busy }: { lastAt?: string | undefined; busy?: { until?: string } | undefined },
	status: SessionStatus,
	now: number,
): boolean {
	if (status !== 'running' || lastAt === undefined) return false;
	if (busy && (busy.until === undefined || Date.parse(busy.until) > now)) return false;
	return now - Date.parse(lastAt) > SILENT_AFTER_MS;
}

/** Who does what, with paths relative to the project; of several calls the newest. */
export function doingOf(view: SessionView): Doing | undefined {
	if (view.ended || view.lost) return undefined;
	if (view.failure) return { text: view.failure };
	const call = newest(view.calls.filter(isCallOpen), ({ seq }) => seq);
	if (call) {
		const agent = call.agentId === undefined ? undefined : find(view.agents, 'agentId', call.agentId)?.name;
		const text = `${call.tool} ${shortPath(call.title, view.cwd ?? null)}`.trim();
		return { ...(agent !== undefined && { agent }), text, since: call.calledAt ?? call.at };
	}
	const agent = newest(view.agents.filter(isAgentOpen), ({ startedAt }: AgentView) => startedAt ?? '');
	const isThinking = agent !== undefined || view.turn === 'running';
	if (isThinking) {
		return {
			...(agent && { agent: agent.name }),
			...inWords({ text: sentence('thinking') }),
			...(view.lastAt !== undefined && { since: view.lastAt }),
		};
	}
	return view.lastMessage === undefined ? undefined : { text: view.lastMessage };
}

function newest<Thing extends CallView | AgentView>(things: readonly Thing[], of: (thing: Thing) => number | string) {
	return things.reduce<Thing | undefined>((last, thing) => (!last || of(thing) > of(last) ? thing : last), undefined);
}
