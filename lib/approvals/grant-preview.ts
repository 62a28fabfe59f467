import type { GrantCover, GrantScope } from '../contract/events/catalogue/approval.ts';
import { isKnown } from '../contract/events/is-known.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { withFingerprint } from '../gates/gate-table.ts';
import { isCovered } from '../grants/covers.ts';

/** A recorded call that a grant would have let run. */
export interface MatchedCall {
	sessionId: string;
	toolUseId?: string;
	at: string;
	reason: string;
}

/** Recorded denials (`gate:verdict` events, newest first) gathered by call, as far as a grant would override all of one. */
export function matchedCalls(
	events: readonly IndexedEvent[],
	grant: { scope: GrantScope; sessionId: string; covers: readonly GrantCover[] },
): MatchedCall[] {
	const calls = new Map<string, { call: MatchedCall; denials: ReturnType<typeof withFingerprint>[] }>();
	for (const event of events) {
		if (!isKnown(event) || event.type !== 'gate:verdict' || event.decision !== 'deny') continue;
		const { sessionId, toolUseId, ts: at, reason } = event;
		const key = `${sessionId} ${toolUseId ?? event.requestId ?? event.id}`;
		const found = calls.get(key) ?? {
			call: { sessionId, at, reason, ...(toolUseId !== undefined && { toolUseId }) },
			denials: [],
		};
		found.denials.push(withFingerprint(event));
		calls.set(key, found);
	}
	return [...calls.values()]
		.filter(({ call, denials }) => isCovered(grant, { sessionId: call.sessionId, denials }))
		.map(({ call }) => call);
}
