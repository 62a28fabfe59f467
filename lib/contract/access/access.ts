import * as z from 'zod';
import { Decider } from '../events/catalogue/approval.ts';
import { AccessId } from '../ids.ts';

/** A role cannot be used in place of another. */
export const Role = z.enum(['viewer', 'operator', 'edge']);
export type Role = z.infer<typeof Role>;

export const LoginBody = z.strictObject({ token: z.string().min(20).max(200) });

export const LinkBody = z.strictObject({ link: z.string().min(20).max(200) });

export const LinkAnswer = z.object({ to: z.string(), sessionToken: z.string().optional() });

export const AccessParam = z.object({ id: AccessId });

export const AccessEntry = z.object({
	id: AccessId,
	kind: z.enum(['sign-in', 'token', 'passkey']),
	role: Role,
	/** ISO. */
	since: z.string(),
	until: z.string().optional(),
	/** When it was last used since the server started (ISO). */
	usedAt: z.string().optional(),
	/** The name that its owner gave to a passkey or a token; of a sign-in its browser's name. */
	name: z.string().optional(),
	mine: z.boolean(),
});
export type AccessEntry = z.infer<typeof AccessEntry>;

export const EndedAccess = AccessEntry.omit({ until: true, usedAt: true, mine: true }).extend({
	/** ISO. */
	endedAt: z.string(),
	by: Decider.optional(),
});
export type EndedAccess = z.infer<typeof EndedAccess>;

export const AccessQuery = z.object({
	who: z
		.string()
		.regex(/^[0-9a-f]{8,16}$/)
		.optional(),
});

export const AccessList = z.object({
	entries: z.array(AccessEntry),
	ended: z.array(EndedAccess).optional(),
});
export type AccessList = z.infer<typeof AccessList>;

export const Revocation = z.strictObject({ action: z.literal('revoke') });

/** The code on the server's terminal, for the first passkey alone. */
export const EnrolmentStart = z.strictObject({ code: z.string().trim().max(40).optional() });

export const EnrolmentEnd = z.strictObject({
	name: z.string().trim().min(1).max(60),
	response: z.looseObject({ id: z.string().max(1400), rawId: z.string().max(1400) }),
});

export const ChallengeBody = z.strictObject({ path: z.string().startsWith('/api/').max(300), body: z.unknown() });

export const PasskeyAsk = z.object({
	/** base64url of the digest that it answers for. */
	challenge: z.string(),
	rpId: z.string(),
	allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
	userVerification: z.literal('required'),
});
export type PasskeyAsk = z.infer<typeof PasskeyAsk>;

/** Bytes of a browser's key in base64url. */
const Key = (bytes: number) =>
	z
		.string()
		.regex(/^[\w-]+={0,2}$/)
		.max(Math.ceil((bytes * 4) / 3) + 4);

/** A push service has a public name: nothing may be posted to this machine or its network. */
const Endpoint = z
	.url({
		protocol: /^https$/,
		hostname: /^(?!localhost$|.*\.localhost$|.*\.local$|.*\.internal$)[a-z0-9.-]+\.[a-z][a-z0-9-]+$/,
	})
	.max(1000)
	.refine((url) => !url.includes('@'), 'has no name and password');

/** As `PushSubscription.toJSON` gives it. The endpoint is a secret. */
export const PushSubscription = z.object({
	endpoint: Endpoint,
	keys: z.object({ p256dh: Key(65), auth: Key(16) }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** The beginning of the endpoint's SHA-256, which does not give the address away. */
export const PushId = z.string().regex(/^[0-9a-f]{16}$/);

export const PushBody = z.discriminatedUnion('action', [
	z.strictObject({ action: z.literal('subscribe'), subscription: PushSubscription }),
	z.strictObject({ action: z.literal('remove'), id: PushId }),
]);

export const PushState = z.object({
	publicKey: z.string(),
	browsers: z.array(z.object({ id: PushId, service: z.string(), since: z.string() })),
});
export type PushState = z.infer<typeof PushState>;
