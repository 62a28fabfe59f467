import * as z from 'zod';

/**
 * What the owner of a machine lets people decide from its hub: nothing (H0), what the hub says (H1), or only what the
 * passkey of a person in the roster has signed (H2).
 */
export const EdgeLevel = z.enum(['watch', 'hub', 'passkey']);
export type EdgeLevel = z.infer<typeof EdgeLevel>;
