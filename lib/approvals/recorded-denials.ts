import type { ApprovalRecord, UnaskedDenial } from '../contract/approvals/approval-record.ts';
import type { GrantRecord } from '../contract/approvals/grants.ts';
import type { Denial, GrantCover, GrantScope } from '../contract/events/catalogue/approval.ts';
import type { EventOf } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { gateById, withFingerprint } from '../gates/gate-table.ts';
import { fingerprintsOf, isCovered } from '../grants/covers.ts';
import { HOME_SESSION } from '../ids/safe-id.ts';
import { find, outcomeOf, requestedAgentOf } from '../session/call.ts';

export interface Known {
	row: (sessionId: string, key: string) => Promise<Row | undefined>;
	view: (sessionId: string) => Promise<SessionView | undefined>;
	grants: readonly GrantRecord[];
	questions: readonly ApprovalRecord[];
	now: number;
}

const DAY = 24 * 3600_000;
const REACH = { open: 7 * DAY, ended: DAY } as const;

interface Denied {
	newest: EventOf<'gate:verdict'>;
	denials: Denial[];
}

/**
 * Denied calls without a question to a person, and not allowed since, newest first; the same question of a session counts
 * once. `events`: `gate:verdict` events of all sessions, newest first.
 */
export async function unaskedDenials(
	events: readonly IndexedEvent[],
	known: Known,
	limit: number,
): Promise<UnaskedDenial[]> {
	const found = new Map<string, UnaskedDenial>();
	for (const [callKey, { newest, denials }] of deniedCalls(events)) {
		const denial = await describeDenial(newest, denials, known);
		if (!denial) continue;
		const fingerprints = fingerprintsOf({ denials });
		const key = fingerprints === null ? callKey : `${newest.sessionId}\n${fingerprints}`;
		const before = found.get(key);
		if (before) before.count += 1;
		else if (found.size < limit) found.set(key, denial);
	}
	return [...found.values()];
}

function deniedCalls(events: readonly IndexedEvent[]): Map<string, Denied> {
	const calls = new Map<string, Denied>();
	for (const event of events) {
		if (!isKnown(event) || event.type !== 'gate:verdict' || event.decision !== 'deny') continue;
		// A refused stop is not a denied call.
		if (gateById(event.gate)?.fingerprint === undefined) continue;
		// Without a session no agent tries again, as for the doctor's probes.
		if (event.sessionId === HOME_SESSION) continue;
		const key = `${event.sessionId} ${event.toolUseId ?? event.id}`;
		const call = calls.get(key) ?? { newest: event, denials: [] };
		// A client may run several hooks for one call.
		const isListed = call.denials.some(({ gate, rule }) => gate === event.gate && rule === event.rule);
		if (!isListed) call.denials.push({ ...withFingerprint(event), ...(event.noGrant && { noGrant: true }) });
		calls.set(key, call);
	}
	return calls;
}

async function describeDenial(
	newest: Denied['newest'],
	denials: Denial[],
	known: Known,
): Promise<UnaskedDenial | null> {
	const { ts: at, sessionId, toolUseId, id, form, agentId } = newest;
	const view = await known.view(sessionId);
	if (!view || !isOfInterest(view, at, known.now)) return null;
	const call = toolUseId === undefined ? undefined : (await known.row(sessionId, `call:${toolUseId}`))?.call;
	// A question is listed elsewhere in the inbox, and a call that ran in spite of a denial is an alarm.
	if (call && (call.approval || outcomeOf(call) !== 'stopped')) return null;
	if (isDecidedSince({ sessionId, at, denials }, known)) return null;
	const agent = call && requestedAgentOf(call);
	return {
		sessionId,
		...(toolUseId === undefined ? { eventId: id } : { toolUseId }),
		...(agentId !== undefined && { actor: find(view.agents, 'agentId', agentId)?.name ?? agentId }),
		tool: call?.tool ?? '',
		title: call?.title ?? '',
		...(agent !== undefined && { asked: agent }),
		denials,
		...(form && { form }),
		at,
		count: 1,
		ended: overOf(view) !== undefined,
	};
}

const overOf = ({ ended, lost }: SessionView) => ended ?? lost;

function isOfInterest(view: SessionView, at: string, now: number): boolean {
	const over = overOf(view);
	const isRecent = now - Date.parse(at) <= REACH.open && (!over || now - Date.parse(over.at) <= REACH.ended);
	return isRecent && !view.reviewer;
}

function isDecidedSince(
	denied: { sessionId: string; at: string; denials: readonly Denial[] },
	{ grants, questions }: Known,
): boolean {
	const isAllowed = grants.some(
		(grant) => grant.createdAt >= denied.at && (grant.state === 'active' || grant.uses > 0) && isCovered(grant, denied),
	);
	if (isAllowed) return true;
	const fingerprints = fingerprintsOf(denied);
	return (
		fingerprints !== null &&
		questions.some(
			(other) =>
				other.sessionId === denied.sessionId &&
				other.requestedAt >= denied.at &&
				fingerprintsOf(other) === fingerprints,
		)
	);
}

interface MatchedCall {
	sessionId: string;
	toolUseId?: string;
	at: string;
	reason: string;
}

/** Denied calls that this grant would have let run, so that its maker sees how far it reaches. */
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
