import * as z from 'zod';
import type { HistoryRow } from '../contract/approvals/approval-record.ts';
import { type GrantRecord, MAX_GRANT_SECONDS } from '../contract/approvals/grants.ts';
import { approvalEvents, type GrantScope } from '../contract/events/catalogue/approval.ts';

const DEFAULT_SECONDS: Record<GrantScope, number> = { once: 3600, session: 8 * 3600, project: 24 * 3600 };

export const MAX_GRANT_MS = MAX_GRANT_SECONDS * 1000;

/** From the request, else the scope's default. */
export function grantMs(scope: GrantScope, expiresInSeconds: number | undefined): number {
	return (expiresInSeconds ?? DEFAULT_SECONDS[scope]) * 1000;
}

const Created = z.object({ ...approvalEvents['grant:create'], toolUseId: z.string().optional() });
const Used = z.object({ toolUseId: z.string().optional() });
const Revoked = z.object(approvalEvents['grant:revoke']);
const Expired = z.object(approvalEvents['grant:expire']);

/** Oldest row first. A `once` grant ends with its use. Null without a readable creation. */
export function grantOf(rows: readonly HistoryRow[]): GrantRecord | null {
	const first = rows.find(({ kind }) => kind === 'grant:create');
	const created = Created.safeParse(first?.payload);
	if (!first?.sessionId || !created.success) return null;
	const { grantId, ...fields } = created.data;
	const grant: GrantRecord = {
		...fields,
		id: grantId,
		state: 'active',
		sessionId: first.sessionId,
		createdAt: first.ts,
		uses: 0,
	};
	return rows.reduce((before, row) => (row === first ? before : afterRow(before, row)), grant);
}

/** Rows come in their order: uses, the end, the revocation. */
export function afterRow(grant: GrantRecord, { kind, ts, sessionId, payload }: HistoryRow): GrantRecord {
	switch (kind) {
		case 'grant:use': {
			const { toolUseId } = Used.safeParse(payload).data ?? {};
			const lastUse = {
				at: ts,
				sessionId: sessionId ?? grant.sessionId,
				...(toolUseId !== undefined && { toolUseId }),
			};
			const used = { ...grant, uses: grant.uses + 1, lastUse };
			return grant.scope === 'once' ? { ...used, state: 'used', endedAt: ts } : used;
		}
		case 'grant:revoke': {
			const { reason } = Revoked.safeParse(payload).data ?? {};
			return { ...grant, state: 'revoked', endedAt: ts, ...(reason !== undefined && { endReason: reason }) };
		}
		case 'grant:expire': {
			const { reason } = Expired.safeParse(payload).data ?? {};
			return { ...grant, state: 'expired', endedAt: ts, ...(reason !== undefined && { endReason: reason }) };
		}
		default:
			return grant;
	}
}
