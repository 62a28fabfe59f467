import * as z from 'zod';

/** Bytes of a browser's key in base64url. */
const Key = (bytes: number) =>
	z
		.string()
		.regex(/^[\w-]+={0,2}$/)
		.max(Math.ceil((bytes * 4) / 3) + 4);

/** A push service stands on the internet under a name: nothing of this machine or its network may be posted to. */
const Endpoint = z
	.url({
		protocol: /^https$/,
		hostname: /^(?!localhost$|.*\.localhost$|.*\.local$|.*\.internal$)[a-z0-9.-]+\.[a-z][a-z0-9-]+$/,
	})
	.max(1000)
	.refine((url) => !url.includes('@'), 'has no name and password');

/** How a browser wants to be reached, as `PushSubscription.toJSON` gives it. The endpoint is a secret. */
export const PushSubscription = z.object({
	endpoint: Endpoint,
	keys: z.object({ p256dh: Key(65), auth: Key(16) }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** Names a subscription without giving its address away: the beginning of the endpoint's SHA-256. */
export const PushId = z.string().regex(/^[0-9a-f]{16}$/);

/** `POST /api/push`. */
export const PushBody = z.discriminatedUnion('action', [
	z.strictObject({ action: z.literal('subscribe'), subscription: PushSubscription }),
	z.strictObject({ action: z.literal('remove'), id: PushId }),
]);

/** `GET /api/push`: the server's key, and the browsers that are told. */
export const PushState = z.object({
	publicKey: z.string(),
	/** `service` is the push service's host, `since` ISO. */
	browsers: z.array(z.object({ id: PushId, service: z.string(), since: z.string() })),
});
export type PushState = z.infer<typeof PushState>;
