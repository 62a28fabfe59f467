import { matchedCalls } from '#lib/approvals/recorded-denials.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { GrantPreview, GrantSource } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Denial, GrantCover, GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { withFingerprint } from '#lib/gates/gate-table.ts';
import { coversOf } from '#lib/grants/covers.ts';
import { readHubName } from '#lib/ids/session-name.ts';
import { callTitle } from '#lib/session/call.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { CallRef } from '../outbox.ts';

export interface GrantSubject {
	call: CallRef;
	approvalId?: string;
	tool: string;
	title: string;
	covers: GrantCover[];
}

export interface DeniedCalls {
	approval: (id: string) => ApprovalRecord | null;
	reads: Pick<SessionReads, 'events'>;
}

/** Throws `grant/waiting` while the agent waits for this call: a person decides that first. */
export function demandDecided({ approvalId }: GrantSource, { approval }: Pick<DeniedCalls, 'approval'>): void {
	const record = approvalId === undefined ? null : approval(approvalId);
	if (record?.state === 'waiting') throw new AppError('grant/waiting');
}

const ROW_REACH = 500;

/** Throws `approval/not-found`, `grant/no-denial`, or `grant/not-possible` for a gate without fingerprints. */
export async function grantSubjectOf(
	{ approvalId, sessionId, toolUseId, eventId }: GrantSource,
	{ approval, reads }: DeniedCalls,
): Promise<GrantSubject> {
	if (approvalId !== undefined) return subjectOfApproval(approval(approvalId));
	if (sessionId === undefined) throw new AppError('grant/no-denial');
	const row = toolUseId === undefined ? `event:${eventId}` : `call:${toolUseId}`;
	const events = await reads.events(sessionId, { after: 0, limit: ROW_REACH, row });
	const denied = events.flatMap((event) =>
		isKnown(event) && event.type === 'gate:verdict' && event.decision === 'deny' ? [event] : [],
	);
	const [first] = denied;
	if (!first) throw new AppError('grant/no-denial');
	const call = events.flatMap((event) => (isKnown(event) && event.type === 'tool:call' ? [event] : []))[0];
	return {
		call: callRefOf(first),
		tool: call?.tool ?? '',
		title: call ? callTitle(call.tool, call.input) : first.reason,
		covers: coversOrThrow(denied.map(withFingerprint)),
	};
}

export function subjectOfApproval(record: ApprovalRecord | null): GrantSubject {
	if (!record) throw new AppError('approval/not-found');
	const { id: approvalId, tool, title, denials } = record;
	return { call: callRefOf(record), approvalId, tool, title, covers: coversOrThrow(denials) };
}

export function callRefOf({ sessionId, agentId, toolUseId }: CallRef): CallRef {
	return { sessionId, ...(agentId !== undefined && { agentId }), ...(toolUseId !== undefined && { toolUseId }) };
}

function coversOrThrow(denials: readonly Denial[]): GrantCover[] {
	const covers = coversOf(denials);
	if (!covers) throw new AppError('grant/not-possible');
	return covers;
}

const REACH = 5000;
const SHOWN = 50;

/** What a grant would let run: in words, and the recorded calls that it would have overridden, newest first. */
export async function grantPreview(
	{ call: { sessionId }, covers }: GrantSubject,
	scope: GrantScope,
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>,
): Promise<GrantPreview> {
	const denials = await reads.denials(REACH);
	// A grant is one machine's; others at its hub may have projects of the same name.
	const machine = readHubName(sessionId)?.edge;
	const there = denials.filter((event) => readHubName(event.sessionId)?.edge === machine);
	const matched = matchedCalls(there, { scope, sessionId, covers });
	const calls: GrantPreview['calls'] = [];
	for (const call of matched.slice(0, SHOWN)) {
		const row = call.toolUseId ? await reads.row(call.sessionId, `call:${call.toolUseId}`) : undefined;
		const project = (await reads.view(call.sessionId))?.project;
		calls.push({ ...call, title: row?.call?.title ?? '', ...(project !== undefined && { project }) });
	}
	return { words: covers.map(({ words }) => words), calls, count: matched.length, more: denials.length === REACH };
}
