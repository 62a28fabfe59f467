import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { refusePolicy } from '#lib/hub/accept-policy.ts';
import { SignedPolicy } from '#lib/hub/signed-policy.ts';
import { tell } from '#lib/messages/tell.ts';
import { POLICY_FILE } from '#lib/settings/kept-policy.ts';
import type { Log } from '../process/log.ts';
import type { JournalKind, JournalStore } from '../timeline/store/journal-store.ts';
import { isStill, type Membership } from './membership.ts';
import { isSignedPolicy, policyDigest } from './policy-proof.ts';
import { type PolicyState, policyText, readPolicyRecord } from './policy-record.ts';
import { isByRootPasskey } from './root-passkey.ts';
import { type CommandOutcome, refusal } from './take-commands.ts';

/** What the cache needs of its home. */
export interface PolicyCacheOptions {
	home: string;
	membership: Membership & { root: RootDocument };
	journal: Pick<JournalStore, 'append' | 'byKind'>;
	/** Somebody else changed the file that hooks read; it was put back. */
	altered: (path: string) => void;
	/** ms since 1970. */
	now: () => number;
	log: Log;
}

/** Keeps the policy of a home's hub: takes what may be taken, and has hooks find it in a file. */
export interface PolicyCache {
	/** Handles a command of kind `policy`. */
	take(body: unknown): Promise<CommandOutcome>;
	/** Drops what has expired, and puts the file back where it is not what the journal says. */
	look(): Promise<void>;
	/** The hub does not count this machine as its own any more: what loosens goes, what tightens stays to its end. */
	sentAway(): void;
	/** The version that holds; 0: none. */
	version(): number;
}

/** Opens the cache over what the journal says; nothing is written before `look`. */
export function createPolicyCache(options: PolicyCacheOptions): PolicyCache {
	const { home, membership, journal, altered, now, log } = options;
	const { root, url, team } = membership;
	const path = join(home, POLICY_FILE);
	const record = readPolicyRecord(journal);
	const { seen } = record;
	let { state } = record;

	const inForce = () => state?.signed?.policy;
	async function tellJournal(kind: JournalKind, payload: Record<string, unknown>): Promise<number> {
		const row = await journal.append({ id: randomUUID(), kind, subject: url, payload });
		return row?.n ?? 0;
	}

	/** The journal first: the file is put right from it. */
	async function become(next: PolicyState, kind: 'policy:take' | 'policy:end', why?: string): Promise<number> {
		const { policy } = next.signed ?? state?.signed ?? {};
		if (!policy) return 0;
		const digest = policyDigest(policy, root.origin);
		const { version } = policy;
		const row = { ...next, key: root.key, version, digest, ...(why !== undefined && { why }) };
		const n = await tellJournal(kind, row);
		state = next;
		if (kind === 'policy:take') seen.set(root.key, { version, digest });
		writeDurably(path, policyText(next));
		return n;
	}

	async function refuse(why: string, facts: Record<string, unknown>): Promise<CommandOutcome> {
		return { state: 'refused', why: why.slice(0, 200), journal: await tellJournal('policy:refuse', { why, ...facts }) };
	}

	/** Undefined where it is as the journal says. */
	function findAltered(): string | null | undefined {
		const read = readBounded(path, home);
		const text = read.ok ? read.text : null;
		return text === (state ? policyText(state) : null) ? undefined : text;
	}

	/** Its owner may have left meanwhile, and joined another hub: then nothing is kept for this one any more. */
	const isMember = () => isStill(home, membership);

	return {
		version: () => inForce()?.version ?? 0,
		async take(body) {
			if (!isMember()) return refusal('policy/left');
			const read = SignedPolicy.safeParse(body);
			if (!read.success) {
				const { path: place = [], message = '' } = read.error.issues[0] ?? {};
				return refuse(tell('it does not fit: {problem}', { problem: `${place.join('.')}: ${message}` }), {});
			}
			const signed = read.data;
			const { policy } = signed;
			const digest = policyDigest(policy, root.origin);
			const byRoot = await isByRootPasskey(signed.root, digest, root);
			const why = refusePolicy(policy, {
				...{ team, now: now(), digest, byRoot, seen: seen.get(root.key), inForce: inForce() },
				byHub: isSignedPolicy(signed, root.origin, root.key),
			});
			if (why !== null) return refuse(why, { team: policy.team, version: policy.version });
			const next = { hub: membership.hub, signed, mayLoosen: byRoot };
			if (state && policyText(state) === policyText(next)) return { state: 'done', journal: 0 };
			const n = await become(next, 'policy:take');
			log.info('edge: a policy of the hub holds', { version: policy.version, until: policy.expires });
			return { state: 'done', journal: n };
		},
		async look() {
			if (!isMember()) return;
			const policy = inForce();
			if (state && policy && Date.parse(policy.expires) <= now()) {
				await become({ ...state, signed: null, mayLoosen: false }, 'policy:end', 'expired');
				log.info('edge: the policy of the hub has expired', { version: policy.version });
			}
			if (findAltered() === undefined) return;
			if (state) writeDurably(path, policyText(state));
			else rmSync(path, { force: true });
			log.warn('edge: the policy of the hub was changed by somebody else, and put back', { path });
			altered(path);
		},
		sentAway() {
			if (!state?.mayLoosen || !isMember()) return;
			become({ ...state, mayLoosen: false }, 'policy:end', 'revoked').catch((error: unknown) =>
				log.error('edge: what a policy of the hub loosened could not be taken back', error),
			);
		},
	};
}
