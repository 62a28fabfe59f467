import * as z from 'zod';
import { Decider } from '../events/catalogue/approval.ts';
import { AccessId } from '../ids.ts';
import { Role } from './sign-in.ts';

export const AccessParam = z.object({ id: AccessId });

/** One thing that lets somebody in, or decide. */
export const AccessEntry = z.object({
	id: AccessId,
	kind: z.enum(['sign-in', 'token', 'passkey']),
	role: Role,
	/** ISO. */
	since: z.string(),
	until: z.string().optional(),
	/** A passkey's name, as its owner gave it; of a sign-in what its browser called itself. */
	name: z.string().optional(),
	/** The one that asks. */
	mine: z.boolean(),
});
export type AccessEntry = z.infer<typeof AccessEntry>;

/** One that no longer counts, as the journal has it. */
export const EndedAccess = AccessEntry.omit({ until: true, mine: true }).extend({
	/** ISO. */
	endedAt: z.string(),
	/** Who revoked it; absent where it was signed out or its time was over. */
	by: Decider.optional(),
});
export type EndedAccess = z.infer<typeof EndedAccess>;

/** `GET /api/access?who=…`: an id, or the beginning of one as decisions show it. */
export const AccessQuery = z.object({
	who: z
		.string()
		.regex(/^[0-9a-f]{8,16}$/)
		.optional(),
});

export const AccessList = z.object({
	entries: z.array(AccessEntry),
	/** What was asked for by `who` and no longer counts. */
	ended: z.array(EndedAccess).optional(),
});
export type AccessList = z.infer<typeof AccessList>;

/** `POST /api/access/:id`: takes an entry away for good. */
export const Revocation = z.strictObject({ action: z.literal('revoke') });

/** `POST /api/passkeys/options`: the code of the server's terminal, for the first passkey alone. */
export const EnrolmentStart = z.strictObject({ code: z.string().trim().max(40).optional() });

/** `POST /api/passkeys`: what the authenticator answered, and what its owner calls it. */
export const EnrolmentEnd = z.strictObject({
	name: z.string().trim().min(1).max(60),
	response: z.looseObject({ id: z.string().max(1400), rawId: z.string().max(1400) }),
});

/** `POST /api/passkeys/challenge`: the exact request that a passkey is to stand for. */
export const ChallengeBody = z.strictObject({ path: z.string().startsWith('/api/').max(300), body: z.unknown() });
