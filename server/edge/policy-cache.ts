import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { refusePolicy, type SeenPolicy, SignedPolicy } from '#lib/hub/policy.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { POLICY_FILE } from '#lib/settings/policy-settings.ts';
import { isByRootPasskey, isSignedPolicy, policyDigest } from '../hub-protocol/signatures.ts';
import type { IncidentLog } from '../journal/incidents/incident-log.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import type { JournalKind, JournalStore } from '../timeline/store/journal-store.ts';
import { isJoined, type Membership } from './membership.ts';
import { type CommandOutcome, refusal } from './run-commands.ts';

interface PolicyCacheOptions {
	home: string;
	membership: Membership & { root: RootDocument };
	journal: Pick<JournalStore, 'append' | 'byKind'>;
	altered: (path: string) => void;
	now: () => number;
	log: Log;
}

export function createPolicyCache(options: PolicyCacheOptions) {
	const { home, membership, journal, altered, now, log } = options;
	const { root, url, team } = membership;
	const path = join(home, POLICY_FILE);
	const record = readPolicyRecord(journal);
	const { seen } = record;
	let { state } = record;

	const inForce = () => state?.signed?.policy;
	async function recordRow(kind: JournalKind, payload: Record<string, unknown>): Promise<number> {
		const row = await journal.append({ id: randomUUID(), kind, subject: url, payload });
		return row?.n ?? 0;
	}

	/** The journal is written first, since the file is restored from it. */
	async function changeState(next: PolicyState, kind: 'policy:take' | 'policy:end', why?: string): Promise<number> {
		const { policy } = next.signed ?? state?.signed ?? {};
		if (!policy) return 0;
		const digest = policyDigest(policy, root.origin);
		const { version } = policy;
		const row = { ...next, key: root.key, version, digest, ...(why !== undefined && { why }) };
		const n = await recordRow(kind, row);
		state = next;
		if (kind === 'policy:take') seen.set(root.key, { version, digest });
		writeDurably(path, policyText(next));
		return n;
	}

	async function refuse(why: string, facts: Record<string, unknown>): Promise<CommandOutcome> {
		return { state: 'refused', why: why.slice(0, 200), journal: await recordRow('policy:refuse', { why, ...facts }) };
	}

	function findAltered(): string | null | undefined {
		const read = readBounded(path, home);
		const text = read.ok ? read.text : null;
		return text === (state ? policyText(state) : null) ? undefined : text;
	}

	const isMember = () => isJoined(home, membership);

	return {
		version: () => inForce()?.version ?? 0,
		async acceptPolicy(body: unknown): Promise<CommandOutcome> {
			if (!isMember()) return refusal('policy/left');
			const read = SignedPolicy.safeParse(body);
			if (!read.success) {
				const { path: fieldPath = [], message = '' } = read.error.issues[0] ?? {};
				return refuse(`it does not fit: ${fieldPath.join('.')}: ${message}`, {});
			}
			const signed = read.data;
			const { policy } = signed;
			const digest = policyDigest(policy, root.origin);
			const byRoot = await isByRootPasskey(signed.root, digest, root);
			const why = refusePolicy(policy, {
				team,
				now: now(),
				digest,
				byRoot,
				seen: seen.get(root.key),
				inForce: inForce(),
				byHub: isSignedPolicy(signed, root.origin, root.key),
			});
			if (why !== null) return refuse(why, { team: policy.team, version: policy.version });
			const next = { hub: membership.hub, signed, mayLoosen: byRoot };
			if (state && policyText(state) === policyText(next)) return { state: 'done', journal: 0 };
			const n = await changeState(next, 'policy:take');
			log.info('edge: a policy of the hub holds', { version: policy.version, until: policy.expires });
			return { state: 'done', journal: n };
		},
		/** Drops an expired policy, and restores the file if it differs from the journal. */
		async checkPolicy(): Promise<void> {
			if (!isMember()) return;
			const policy = inForce();
			if (state && policy && Date.parse(policy.expires) <= now()) {
				await changeState({ ...state, signed: null, mayLoosen: false }, 'policy:end', 'expired');
				log.info('edge: the policy of the hub has expired', { version: policy.version });
			}
			if (findAltered() === undefined) return;
			if (state) writeDurably(path, policyText(state));
			else rmSync(path, { force: true });
			log.warn('edge: the policy of the hub was changed by somebody else, and put back', { path });
			altered(path);
		},
		/** The hub has revoked this machine: a policy that loosens ends now, one that tightens stays until it expires. */
		endMembership(): void {
			if (!state?.mayLoosen || !isMember()) return;
			changeState({ ...state, mayLoosen: false }, 'policy:end', 'revoked').catch((error: unknown) =>
				log.error('edge: what a policy of the hub loosened could not be taken back', error),
			);
		},
	};
}

const PolicyState = z.object({
	hub: z.string(),
	signed: SignedPolicy.nullable(),
	mayLoosen: z.boolean(),
});
type PolicyState = z.infer<typeof PolicyState>;

const PolicyRow = PolicyState.extend({
	key: z.string(),
	version: z.int(),
	digest: z.string(),
	why: z.string().optional(),
});

/** Versions rise, so only the newest row of a key counts. */
const REACH = 2000;

function readPolicyRecord(journal: Pick<JournalStore, 'byKind'>): {
	state: PolicyState | undefined;
	seen: Map<string, SeenPolicy>;
} {
	const rows = journal.byKind(['policy:take', 'policy:end', 'hub:leave', 'hub:join'], { limit: REACH });
	const since = rows.slice(rows.findLastIndex(({ kind }) => kind.startsWith('hub:')) + 1);
	const seen = new Map<string, SeenPolicy>();
	let state: PolicyState | undefined;
	for (const { kind, payload } of since) {
		const row = PolicyRow.safeParse(payload).data;
		if (!row) continue;
		const { hub, signed, mayLoosen, key, version, digest } = row;
		state = { hub, signed, mayLoosen };
		if (kind === 'policy:take') seen.set(key, { version, digest });
	}
	return { state, seen };
}

const policyText = (state: PolicyState): string => `${JSON.stringify(state, null, '\t')}\n`;

const CHECK_MS = 5000;

export interface PolicyPorts {
	journal: Pick<JournalStore, 'append' | 'byKind'>;
	incidents: Pick<IncidentLog, 'raise'>;
}

/** Undefined for a home that joined before roots were stored: it executes no commands. */
export function openPolicies(
	{ home, membership, log }: { home: string; membership: Membership; log: Log },
	{ journal, incidents }: PolicyPorts,
) {
	const { root } = membership;
	if (!root) return;
	const altered = (path: string) =>
		incidents.raise({
			code: 'config/loosened',
			about: path,
			message: sentence('{path} was not as the hub’s policy is kept, and was put back', { path }),
		});
	const cache = createPolicyCache({ home, journal, membership: { ...membership, root }, altered, now: Date.now, log });
	const failed = (error: unknown) => log.error('edge: the policy of the hub could not be kept', error);
	cache.checkPolicy().catch(failed);
	const { acceptPolicy, endMembership } = cache;
	return { acceptPolicy, endMembership, stop: repeat(CHECK_MS, cache.checkPolicy, failed) };
}
