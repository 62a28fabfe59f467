import { isReviewing } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import type { SessionView } from './view.ts';

export type SessionStatus = 'running' | 'waiting' | 'idle' | 'ended' | 'lost';

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

/** Whether a running session has been silent for too long. */
export function isSilent(status: SessionStatus, lastAt: string | undefined, now: number): boolean {
	return status === 'running' && lastAt !== undefined && now - Date.parse(lastAt) > SILENT_AFTER_MS;
}
