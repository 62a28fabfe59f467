import { randomUUID } from 'node:crypto';
import type { HeldCall } from '#hooks-bridge/ports/ports.ts';
import type { Instant } from '#lib/approvals/ticket.ts';
import type { ApprovalRecord, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import type { GrantBody, GrantRecord, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { grantsFor } from '#lib/grants/covers.ts';
import { afterRow, grantMs, grantOf, MOST_GRANT_MS } from '#lib/grants/grant-record.ts';
import { repeat } from '../../process/repeat.ts';
import { systemClock } from '../../process/system-clock.ts';
import type { JournalKind, JournalRow, JournalStore } from '../../timeline/store/journal-store.ts';
import type { Outbox } from '../outbox.ts';
import { type ReleaseMeans, releaseInTwoSteps } from '../release-in-two-steps.ts';
import { type GrantSubject, placeOf, subjectOfAsked } from './grant-subject.ts';

/** What the service needs from the rest of the server. */
export interface GrantServiceOptions extends ReleaseMeans {
	journal: JournalStore;
	outbox: Outbox;
	clock?: () => Instant;
}

/** Where permissions for later calls are made, used and taken back. Only the server consumes them (DESIGN 6). */
export interface GrantService {
	/** Finds in the journal what is still active, and looks for lapsed grants every second. */
	start(): Promise<void>;
	/**
	 * Null at once when no active grant covers every denial of the call. Else resolves with what the hook prints,
	 * its row durable in the journal; or with null when each such grant was used up, revoked or expired meanwhile.
	 */
	release(held: HeldCall): Promise<{ output: Record<string, unknown> | null } | null> | null;
	create(
		subject: GrantSubject,
		terms: Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>,
		by: Decider,
	): Promise<GrantRecord>;
	/** Throws AppError: 404 unknown, 409 no longer active. */
	revoke(grantId: string, body: RevokeBody, by: Decider): Promise<GrantRecord>;
	get(grantId: string): GrantRecord | null;
	/**
	 * Says of a grant from a hub why it does not stand any more, in words; undefined while it does. It is asked before each
	 * use and each second; until it is there, such a grant lets nothing run.
	 */
	guardHubGrants(guard: HubGrantGuard): void;
	/** Newest first. */
	list(state: GrantState | undefined, limit: number): GrantRecord[];
	/** Ends what has lapsed. `start` does it every second. */
	sweep(): Promise<void>;
	stop(): void;
}

/** Looks after grants that came from a hub: reads once what they all stand on, and judges each by that. */
export type HubGrantGuard = () => (grant: GrantRecord) => string | undefined;

/** A grant that may be used, with its end on both clocks: a clock that is set back prolongs nothing. */
interface Active {
	grant: GrantRecord;
	until: Instant;
}

const PERIOD_MS = 1000;
const LIST_REACH = 2000;
const ACTIVE_REACH = 100_000;
const OVER: readonly JournalKind[] = ['grant:revoke', 'grant:expire'];
const OVER_ONCE: readonly JournalKind[] = [...OVER, 'grant:use'];

export function createGrantService(options: GrantServiceOptions): GrantService {
	const { journal, outbox, log, clock = systemClock } = options;
	const active = new Map<string, Active>();
	let guard: HubGrantGuard | undefined;
	let stopLooking = (): void => undefined;

	const keep = (grant: GrantRecord) => {
		const now = clock();
		const left = Date.parse(grant.expires) - now.wall;
		active.set(grant.id, { grant, until: { wall: now.wall + left, steady: now.steady + left } });
	};
	const isPast = ({ until }: Active) => {
		const now = clock();
		return now.wall >= until.wall || now.steady >= until.steady;
	};
	/**
	 * Says as of now why a grant is over with the hub that it came from; undefined where it stands, null where nobody can
	 * tell. Nothing is looked at while there is none of a hub.
	 */
	const lookAtHub = () => {
		let whyOver: ReturnType<HubGrantGuard> | undefined;
		return (grant: GrantRecord): string | null | undefined => {
			if (grant.by.via !== 'hub') return undefined;
			try {
				whyOver ??= guard?.();
				return whyOver ? whyOver(grant) : null;
			} catch (error) {
				log.error('grants: whether a grant of the hub still stands cannot be told, so it lets nothing run', error);
				return null;
			}
		};
	};
	const endsOf = ({ scope }: GrantRecord) => (scope === 'once' ? OVER_ONCE : OVER);
	const known = (grantId: string): GrantRecord => {
		const grant = grantOf(journal.bySubject(grantId));
		if (!grant) throw new AppError('grant/not-found');
		return grant;
	};
	/** Takes over what a row has made of a grant; a grant that another row has ended is only dropped. */
	const note = (grantId: string, row: JournalRow | null) => {
		const now = active.get(grantId);
		const grant = now && row && afterRow(now.grant, row);
		if (now && grant?.state === 'active') active.set(grantId, { ...now, grant });
		else active.delete(grantId);
	};

	const use = async (grant: GrantRecord, held: HeldCall) => {
		const { id: grantId, scope, reason, by, createdAt: madeAt } = grant;
		let isStillDenied = false;
		const released = await releaseInTwoSteps(
			options,
			held,
			{ decision: 'approve', granted: true, reason },
			async (standing) => {
				isStillDenied = standing !== undefined;
				// A denial that the grant does not cover stands, and uses nothing up.
				if (isStillDenied) return null;
				const fields = { grantId, scope, reason, by, tool: held.tool, inputDigest: held.inputDigest, madeAt };
				const row = await outbox.write('grant:use', { subject: grantId, place: held, fields }, endsOf(grant));
				note(grantId, row);
				return row;
			},
		);
		return { released, isStillDenied };
	};

	const inTurn = async (grants: readonly GrantRecord[], held: HeldCall) => {
		try {
			for (const grant of grants) {
				const { released, isStillDenied } = await use(grant, held);
				if (released || isStillDenied) return released;
			}
		} catch (error) {
			log.error('grants: the use of a grant could not be written, so the denial stands', error);
		}
		return null;
	};

	const sweep = async () => {
		const overWithHub = lookAtHub();
		for (const item of [...active.values()]) {
			const { grant } = item;
			const reason = overWithHub(grant) ?? undefined;
			if (reason === undefined && !isPast(item)) continue;
			const { id: grantId } = grant;
			const fields = { grantId, ...(reason !== undefined && { reason }) };
			const draft = { subject: grantId, place: placeOf(grant), fields };
			note(grantId, await outbox.write('grant:expire', draft, endsOf(grant)));
		}
	};

	return {
		sweep,
		get: (grantId) => grantOf(journal.bySubject(grantId)),
		guardHubGrants(from) {
			guard = from;
		},
		release(held) {
			if (active.size === 0) return null;
			const overWithHub = lookAtHub();
			const open = [...active.values()].filter((item) => !isPast(item)).map(({ grant }) => grant);
			const grants = grantsFor(open, held).filter((grant) => overWithHub(grant) === undefined);
			return grants.length === 0 ? null : inTurn(grants, held);
		},
		async create({ place, approvalId, ...what }, { scope, expiresInSeconds, reason }, by) {
			const grantId = randomUUID();
			const expires = new Date(clock().wall + grantMs(scope, expiresInSeconds)).toISOString();
			const fields = { grantId, scope, reason, expires, by, ...what, ...(approvalId !== undefined && { approvalId }) };
			await outbox.write('grant:create', { subject: grantId, place, fields });
			const grant = known(grantId);
			keep(grant);
			return grant;
		},
		async revoke(grantId, { reason }, by) {
			const grant = known(grantId);
			const fields = { grantId, by, ...(reason && { reason }) };
			const draft = { subject: grantId, place: placeOf(grant), fields };
			const row = await outbox.write('grant:revoke', draft, endsOf(grant));
			note(grantId, row);
			if (!row) throw new AppError('grant/ended');
			return known(grantId);
		},
		list(state, limit) {
			if (state === 'active') {
				const all = [...active.values()].filter((item) => !isPast(item)).map(({ grant }) => grant);
				return all.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, limit);
			}
			const records: GrantRecord[] = [];
			// As for approvals: a question to the journal for each, and no more than are wanted.
			const reach = state === undefined ? limit : LIST_REACH;
			for (const { subject } of journal.byKind(['grant:create'], { limit: reach }).reverse()) {
				if (records.length === limit) break;
				const grant = grantOf(journal.bySubject(subject));
				if (grant && (state === undefined || grant.state === state)) records.push(grant);
			}
			return records;
		},
		async start() {
			const sinceMs = clock().wall - MOST_GRANT_MS - 24 * 3600_000;
			for (const { subject } of journal.byKind(['grant:create'], { sinceMs, limit: ACTIVE_REACH })) {
				const grant = grantOf(journal.bySubject(subject));
				if (grant?.state === 'active') keep(grant);
			}
			await sweep();
			stopLooking = repeat(PERIOD_MS, sweep, (error) => log.error('grants: a lapsed grant could not be ended', error));
		},
		stop: () => stopLooking(),
	};
}

/** The part of the approval service that decides. */
export interface Deciding {
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
	get(approvalId: string): ApprovalRecord | null;
}

/**
 * Decides, and where somebody wants later calls like it allowed too, makes that grant. What cannot be remembered is not
 * approved either: `grant/not-possible`, `request/invalid`. Where the grant cannot be written once the decision is:
 * `grant/forgotten`.
 */
export async function decideAndRemember(
	{ service, grants }: { service: Deciding; grants: Pick<GrantService, 'create'> },
	...[approvalId, { remember, ...body }, by]: Parameters<Deciding['decide']>
): Promise<ApprovalRecord> {
	if (!remember) return service.decide(approvalId, body, by);
	const terms = { ...remember, reason: demandTerms(body) };
	const subject = subjectOfAsked(service.get(approvalId));
	const decided = await service.decide(approvalId, body, by);
	await grants.create(subject, terms, by).catch((cause: unknown) => {
		throw new AppError('grant/forgotten', undefined, { cause });
	});
	return decided;
}

/** The reason, which a grant needs. An input of the person's own, or another answer, says nothing of later calls. */
function demandTerms({ decision, reason, updatedInput, suggestions }: Omit<DecisionBody, 'remember'>): string {
	if (decision !== 'approve' || updatedInput || suggestions)
		throw new AppError('request/invalid', 'Only the approval of a call as it is can be remembered.');
	if (!reason) throw new AppError('request/invalid', 'What is remembered needs a reason: it is kept in the record.');
	return reason;
}
