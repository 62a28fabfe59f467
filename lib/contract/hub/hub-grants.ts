import * as z from 'zod';
import { GrantId } from '../ids.ts';
import { HubDecider } from './hub-decision.ts';

/** What a hub asks of an edge when somebody takes back a grant that was made from there; the whole of it is signed by the hub. */
export const GrantCommand = z.strictObject({
	v: z.literal(1),
	edge: z.int().min(1),
	action: z.literal('revoke'),
	grant: GrantId,
	reason: z.string().max(2000).optional(),
	person: HubDecider,
});
export type GrantCommand = z.infer<typeof GrantCommand>;
