import type { SessionStatus } from '../contract/sessions/read-model/session-summary.ts';
import { isReviewing } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isCallOpen } from './fold-call.ts';
import type { SessionView } from './view.ts';

/** Running without a word for this long is shown as silent: an alarm, not a status. */
export const SILENT_AFTER_MS = 4 * 60_000;

/** What a session is doing. Takes the time so that a lapsed deadline does not keep it "waiting". */
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

/** What a session does that may take long without a word: an open call, or a review until its deadline (ISO). */
export function busyOf({
	calls,
	supervisor,
}: Pick<SessionView, 'calls' | 'supervisor'>): { until?: string } | undefined {
	if (calls.some(isCallOpen)) return {};
	const review = supervisor.findLast(({ allow, cutOffAt }) => allow === undefined && cutOffAt === undefined);
	return review && (review.deadline === undefined ? {} : { until: review.deadline });
}

/** Whether a running session has been silent for too long. What works on an open call or review is not silent. */
export function isSilent(
	{ lastAt, busy }: { lastAt?: string | undefined; busy?: { until?: string } | undefined },
	status: SessionStatus,
	now: number,
): boolean {
	if (status !== 'running' || lastAt === undefined) return false;
	if (busy && (busy.until === undefined || Date.parse(busy.until) > now)) return false;
	return now - Date.parse(lastAt) > SILENT_AFTER_MS;
}
