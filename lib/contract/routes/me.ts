import * as z from 'zod';
import { Role } from '../access/sign-in.ts';
import { HubPerson } from '../hub/hub-people.ts';
import { ApprovalId } from '../ids.ts';

/** `GET /api/me`: who the browser is. */
export const Me = z.object({
	role: Role,
	/** The one call that this sign-in may decide although it is no operator's: it came by a link and a passkey. */
	approval: ApprovalId.optional(),
	/** At a hub: which person it is, and what they are where; no team is everywhere. */
	hub: HubPerson.optional(),
	/** H0 to H2: of a hub, as its machines have it. */
	tier: z.enum(['T0', 'T1', 'T2', 'T3', 'T4', 'H0', 'H1', 'H2']),
	/** Login links and operator tokens minted in the last 24 hours. */
	minted: z.array(z.object({ at: z.string(), kind: z.string(), role: Role })),
	epoch: z.string(),
	/** How long a decision can be undone before it is sent, in seconds (`approvals.undoSeconds`). */
	undoSeconds: z.number(),
	home: z.string(),
	/** What runs the `signalbox` command on the server's machine, from any folder. */
	program: z.string(),
});
export type Me = z.infer<typeof Me>;
