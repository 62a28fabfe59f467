import * as z from 'zod';

/** What a browser asks a passkey for. */
export const PasskeyAsk = z.object({
	/** base64url of the digest that it answers for. */
	challenge: z.string(),
	rpId: z.string(),
	allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
	userVerification: z.literal('required'),
});
export type PasskeyAsk = z.infer<typeof PasskeyAsk>;
