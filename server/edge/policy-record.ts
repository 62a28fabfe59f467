import * as z from 'zod';
import type { SeenPolicy } from '#lib/hub/accept-policy.ts';
import { SignedPolicy } from '#lib/hub/signed-policy.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';

/** The policy that holds at an edge as its journal has it, and its file beside the hooks. */
const PolicyState = z.object({
	/** The hub's name. */
	hub: z.string(),
	signed: SignedPolicy.nullable(),
	/** A root passkey stands for it, and the hub still counts this machine as one of its own. */
	mayLoosen: z.boolean(),
});
export type PolicyState = z.infer<typeof PolicyState>;

/** What a row of kind `policy:take` or `policy:end` says. */
const PolicyRow = PolicyState.extend({
	/** Of the hub, and what was signed by it. */
	key: z.string(),
	version: z.int(),
	digest: z.string(),
	why: z.string().optional(),
});
export type PolicyRow = z.infer<typeof PolicyRow>;

/** Rows that are looked through: versions rise, so the newest of a key says all. */
const REACH = 2000;

/** Reads what a home took of its hub since it joined: the journal knows it, whatever became of the file. */
export function readPolicyRecord(journal: Pick<JournalStore, 'byKind'>): {
	state: PolicyState | undefined;
	/** The newest version that was taken of each key. */
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

/** What hooks read; the policy stands in it whole, so that a person can read it, too. */
export const policyText = (state: PolicyState): string => `${JSON.stringify(state, null, '\t')}\n`;
