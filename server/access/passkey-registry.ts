import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { digestOf } from './secret.ts';

const Enrolled = z.object({
	credentialId: z.string(),
	/** COSE, base64url. */
	publicKey: z.string(),
	counter: z.number(),
	transports: z.array(z.string()).optional(),
	/** Whether it may be copied to other devices of its owner. */
	deviceType: z.string(),
	name: z.string(),
});
/** A passkey as the journal has it. */
export type Passkey = z.infer<typeof Enrolled> & { subject: string; since: string };

/** The passkeys of this home, over the journal. */
export interface PasskeyRegistry {
	/** Those that count now, oldest first. */
	list(): Passkey[];
	find(credentialId: string): Passkey | undefined;
	/** Null: this passkey is enrolled already. */
	enrol(passkey: z.infer<typeof Enrolled>): Promise<Passkey | null>;
	/** The authenticator's own count has risen: a lower one later means a copy. */
	counted(passkey: Passkey, counter: number): true;
	/** This server took the passkey of this subject away. */
	forget(subject: string): void;
}

const MOST_PASSKEYS = 100;

/**
 * What the journal says when the server starts, and from then on what happens here: a row that another program writes,
 * or takes out, neither makes a passkey nor takes one away.
 */
export function createPasskeyRegistry(journal: JournalStore): PasskeyRegistry {
	/** Of this run of the server; authenticators whose passkeys may be copied do not count at all. */
	const counters = new Map<string, number>();

	const listRecorded = (): Passkey[] =>
		journal.byKind(['passkey:enrol'], { limit: MOST_PASSKEYS }).flatMap(({ subject, ts, payload }) => {
			const read = Enrolled.safeParse(payload);
			const isGone = journal.bySubject(subject).some(({ kind }) => kind === 'passkey:revoke');
			if (!read.success || isGone) return [];
			return [{ ...read.data, subject, since: ts }];
		});
	let known = listRecorded();
	const list = (): Passkey[] =>
		known.map((one) => ({ ...one, counter: Math.max(one.counter, counters.get(one.subject) ?? 0) }));

	return {
		list,
		find: (credentialId) => list().find((passkey) => passkey.credentialId === credentialId),
		async enrol(passkey) {
			const subject = digestOf(passkey.credentialId);
			const draft = { id: randomUUID(), kind: 'passkey:enrol' as const, subject, payload: passkey };
			const row = await journal.append(draft, ['passkey:enrol']);
			if (!row) return null;
			const enrolled = { ...passkey, subject, since: row.ts };
			known = [...known, enrolled];
			return enrolled;
		},
		counted({ subject }, counter) {
			counters.set(subject, counter);
			return true;
		},
		forget(subject) {
			known = known.filter((one) => one.subject !== subject);
		},
	};
}
