import * as z from 'zod';

/** What Signalbox says of itself. */
export const systemEvents = {
	'system:warning': { code: z.string(), message: z.string() },
	/** Made by the index at read time for bytes that are no event; never written to a timeline. */
	'system:gap': { offset: z.number(), bytes: z.number(), reason: z.string() },
} as const;
