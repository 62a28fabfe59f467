import * as z from 'zod';

/** A passkey's answer to the policy's digest, as a browser gives it; what is in it is checked by the library. */
export const RootSignature = z.looseObject({
	id: z.string().max(1400),
	response: z.looseObject({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});
export type RootSignature = z.infer<typeof RootSignature>;
