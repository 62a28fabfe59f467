import * as z from 'zod';
import { Role } from '../access/access.ts';
import { HubPerson } from '../hub/hub-people.ts';
import { ApprovalId } from '../ids.ts';

export const Me = z.object({
	role: Role,
	approval: ApprovalId.optional(),
	/** Without a team a role is everywhere. */
	hub: HubPerson.optional(),
	/** H0 to H2 at a hub. */
	tier: z.enum(['T0', 'T1', 'T2', 'T3', 'T4', 'H0', 'H1', 'H2']),
	minted: z.array(z.object({ at: z.string(), kind: z.string(), role: Role })),
	epoch: z.string(),
	undoSeconds: z.number(),
	home: z.string(),
	program: z.string(),
});
export type Me = z.infer<typeof Me>;
