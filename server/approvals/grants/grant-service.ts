import { randomUUID } from 'node:crypto';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { Instant } from '#lib/approvals/ticket.ts';
import type { ApprovalRecord, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import type { GrantBody, GrantRecord, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { grantsFor } from '#lib/grants/covers.ts';
import { afterRow, grantMs, grantOf, MAX_GRANT_MS } from '#lib/grants/grant-record.ts';
import { repeat } from '../../process/repeat.ts';
import type { JournalKind, JournalRow, JournalStore } from '../../timeline/store/journal-store.ts';
import type { Outbox } from '../outbox.ts';
import { type ReleaseMeans, releaseInTwoSteps } from '../release-in-two-steps.ts';
import { systemClock } from '../system-clock.ts';
import { callRefOf, type GrantSubject, subjectOfApproval } from './grant-subject.ts';

export interface GrantServiceOptions extends ReleaseMeans {
	journal: JournalStore;
	outbox: Outbox;
	clock?: () => Instant;
}

/** Reads the facts that grants from a hub depend on. The result says why a grant is no longer valid; undefined if it is valid. */
export type HubGrantGuard = () => (grant: GrantRecord) => string | undefined;

type HubCheck = { state: 'valid' | 'unknown' } | { state: 'over'; why: string };

/** An active grant with its end on two clocks: setting one back does not prolong it. */
interface Active {
	grant: GrantRecord;
	until: Instant;
}

const SWEEP_MS = 1000;
const MAX_LISTED = 2000;
const MAX_ACTIVE = 100_000;
const END_KINDS: readonly JournalKind[] = ['grant:revoke', 'grant:expire'];
const END_KINDS_ONCE: readonly JournalKind[] = [...END_KINDS, 'grant:use'];

/** Grants for later calls: makes, uses and ends them, always in the journal first. */
export function createGrantService(options: GrantServiceOptions) {
	const { journal, outbox, log, clock = systemClock } = options;
	const active = new Map<string, Active>();
	let guard: HubGrantGuard | undefined;
	let stopRepeat = (): void => undefined;

	function activate(grant: GrantRecord): void {
		const now = clock();
		const left = Date.parse(grant.expires) - now.wall;
		active.set(grant.id, { grant, until: { wall: now.wall + left, monotonic: now.monotonic + left } });
	}

	function isPast({ until }: Active): boolean {
		const now = clock();
		return now.wall >= until.wall || now.monotonic >= until.monotonic;
	}
	const usable = () => [...active.values()].filter((item) => !isPast(item)).map(({ grant }) => grant);

	/** Whether a grant from a hub still counts there. Facts about the hub are read once for all grants. */
	function createHubCheck() {
		let findEndReason: ReturnType<HubGrantGuard> | undefined;
		return (grant: GrantRecord): HubCheck => {
			if (grant.by.via !== 'hub') return { state: 'valid' };
			try {
				findEndReason ??= guard?.();
				if (!findEndReason) return { state: 'unknown' };
				const why = findEndReason(grant);
				return why === undefined ? { state: 'valid' } : { state: 'over', why };
			} catch (error) {
				log.error('grants: whether a grant of the hub is valid is unknown, so it lets nothing run', error);
				return { state: 'unknown' };
			}
		};
	}

	const endsOf = ({ scope }: GrantRecord) => (scope === 'once' ? END_KINDS_ONCE : END_KINDS);
	function get(grantId: string): GrantRecord | null {
		const found = grantOf(journal.bySubject(grantId));
		return found?.id === grantId ? found : null;
	}

	function demandGrant(grantId: string): GrantRecord {
		const grant = get(grantId);
		if (!grant) throw new AppError('grant/not-found');
		return grant;
	}

	/** Applies a row to an active grant; null: another row has ended it. */
	function applyRow(grantId: string, row: JournalRow | null): void {
		const now = active.get(grantId);
		const grant = now && row && afterRow(now.grant, row);
		if (now && grant?.state === 'active') active.set(grantId, { ...now, grant });
		else active.delete(grantId);
	}

	async function applyGrant(grant: GrantRecord, held: DeniedCall) {
		const { id: grantId, scope, reason, by, createdAt: madeAt } = grant;
		let isStillDenied = false;
		const decided = { decision: 'approve' as const, granted: true as const, reason };
		const released = await releaseInTwoSteps(options, held, decided, async (repeatedDenial) => {
			isStillDenied = repeatedDenial !== undefined;
			// A denial that the grant does not cover remains, and the grant is not used.
			if (isStillDenied) return null;
			const fields = { grantId, scope, reason, by, tool: held.tool, inputDigest: held.inputDigest, madeAt };
			const row = await outbox.write('grant:use', { subject: grantId, call: held, fields }, endsOf(grant));
			applyRow(grantId, row);
			return row;
		});
		return { released, isStillDenied };
	}

	async function applyFirst(grants: readonly GrantRecord[], held: DeniedCall) {
		try {
			for (const grant of grants) {
				const { released, isStillDenied } = await applyGrant(grant, held);
				if (released || isStillDenied) return released;
			}
		} catch (error) {
			log.error('grants: the use of a grant could not be written, so the denial stands', error);
		}
		return null;
	}

	async function sweep(): Promise<void> {
		const checkHub = createHubCheck();
		for (const item of [...active.values()]) {
			const { grant } = item;
			const check = checkHub(grant);
			if (check.state !== 'over' && !isPast(item)) continue;
			const fields = { grantId: grant.id, ...(check.state === 'over' && { reason: check.why }) };
			const draft = { subject: grant.id, call: callRefOf(grant), fields };
			applyRow(grant.id, await outbox.write('grant:expire', draft, endsOf(grant)));
		}
	}

	return {
		get,
		sweep,
		/** Asked before each use and each second; without a guard a grant from a hub lets nothing run. */
		guardHubGrants(from: HubGrantGuard): void {
			guard = from;
		},
		/** Null without an active grant for every denial. Else resolves, once durable, with the output or null. */
		tryGrants(held: DeniedCall): Promise<{ output: Record<string, unknown> | null } | null> | null {
			if (active.size === 0) return null;
			const checkHub = createHubCheck();
			const grants = grantsFor(usable(), held).filter((grant) => checkHub(grant).state === 'valid');
			return grants.length === 0 ? null : applyFirst(grants, held);
		},
		async create(
			{ call, approvalId, ...rest }: GrantSubject,
			{ scope, expiresInSeconds, reason }: Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>,
			by: Decider,
		): Promise<GrantRecord> {
			const grantId = randomUUID();
			const expires = new Date(clock().wall + grantMs(scope, expiresInSeconds)).toISOString();
			const fields = { grantId, scope, reason, expires, by, ...rest, ...(approvalId !== undefined && { approvalId }) };
			await outbox.write('grant:create', { subject: grantId, call, fields });
			const grant = demandGrant(grantId);
			activate(grant);
			return grant;
		},
		/** Throws AppError: 404 unknown, 409 no longer active. */
		async revoke(grantId: string, { reason }: RevokeBody, by: Decider): Promise<GrantRecord> {
			const grant = demandGrant(grantId);
			const fields = { grantId, by, ...(reason && { reason }) };
			const row = await outbox.write(
				'grant:revoke',
				{ subject: grantId, call: callRefOf(grant), fields },
				endsOf(grant),
			);
			applyRow(grantId, row);
			if (!row) throw new AppError('grant/ended');
			return demandGrant(grantId);
		},
		list(state: GrantState | undefined, limit: number): GrantRecord[] {
			if (state === 'active')
				return usable()
					.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
					.slice(0, limit);
			const records: GrantRecord[] = [];
			// Each grant is a query, so no more are read than needed.
			const limitRead = state === undefined ? limit : MAX_LISTED;
			for (const { subject } of journal.byKind(['grant:create'], { limit: limitRead }).reverse()) {
				if (records.length === limit) break;
				const grant = get(subject);
				if (grant && (state === undefined || grant.state === state)) records.push(grant);
			}
			return records;
		},
		/** Reads the active grants from the journal, and ends expired ones every second. */
		async start(): Promise<void> {
			const sinceMs = clock().wall - MAX_GRANT_MS - 24 * 3600_000;
			for (const { subject } of journal.byKind(['grant:create'], { sinceMs, limit: MAX_ACTIVE })) {
				const grant = get(subject);
				if (grant?.state === 'active') activate(grant);
			}
			await sweep();
			stopRepeat = repeat(SWEEP_MS, sweep, (error) => log.error('grants: a lapsed grant could not be ended', error));
		},
		stop: () => stopRepeat(),
	};
}

export type GrantService = ReturnType<typeof createGrantService>;

export interface Deciding {
	decide(
		approvalId: string,
		body: DecisionBody,
		by: Decider,
		beforeAnswer?: () => Promise<unknown>,
	): Promise<ApprovalRecord>;
	get(approvalId: string): ApprovalRecord | null;
}

/**
 * Decides, and with `remember` also makes a grant for later calls. What cannot be remembered is not approved:
 * `grant/not-possible`, `request/invalid`. If only writing the grant fails: `grant/forgotten`.
 */
export async function decideAndRemember(
	{ service, grants }: { service: Deciding; grants: Pick<GrantService, 'create'> },
	approvalId: string,
	{ remember, ...body }: DecisionBody,
	by: Decider,
): Promise<ApprovalRecord> {
	if (!remember) return service.decide(approvalId, body, by);
	const terms = { ...remember, reason: demandTerms(body) };
	const subject = subjectOfApproval(service.get(approvalId));
	// The grant is made before the agent learns the decision, or the same call right behind would be denied.
	return service.decide(approvalId, body, by, () =>
		grants.create(subject, terms, by).catch((cause: unknown) => {
			throw new AppError('grant/forgotten', undefined, { cause });
		}),
	);
}

/** A grant needs a reason. An edited input or another answer cannot apply to later calls. */
function demandTerms({ decision, reason, updatedInput, suggestions }: Omit<DecisionBody, 'remember'>): string {
	if (decision !== 'approve' || updatedInput || suggestions)
		throw new AppError('request/invalid', 'Only the approval of a call as it is can be remembered.');
	if (!reason) throw new AppError('request/invalid', 'What is remembered needs a reason: it is kept in the record.');
	return reason;
}
