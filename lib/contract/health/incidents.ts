import * as z from 'zod';
import { SessionId, Timestamp } from '../ids.ts';

/** What may have let a call through without anybody's decision, or may let one through, or spoilt what pages show: raised by the server itself. */
export const IncidentCode = z.enum([
	/** Something else stands where the hooks' socket was, or nothing. */
	'door/replaced',
	/** Others were let in: the modes of the home or of the socket were opened. */
	'door/opened',
	/** A file of the installed hook is no longer what it was. */
	'hook/changed',
	/** The client's settings of a project no longer run the hooks as before. */
	'settings/changed',
	/** Another input ran than was judged. */
	'call/other-input',
	/** A sub-agent appeared that no judged call asked for. */
	'agent/unasked',
	/** The routing plan lets more start, and the agent itself may have changed it. */
	'plan/edited',
	/** A config says less than before: something that was denied is so no longer. */
	'config/loosened',
	/** The journal is not what was written. */
	'journal/changed',
	/** The index was damaged; it is built anew. */
	'index/damaged',
	/** The disk of the timelines takes nothing, or has little room left. */
	'disk/full',
	/** A link, an operator's token or a passkey was made. */
	'access/minted',
]);
export type IncidentCode = z.infer<typeof IncidentCode>;

export const Incident = z.object({
	code: IncidentCode,
	/** Which file, project or thing; texts of others may be in it. */
	about: z.string(),
	message: z.string(),
	/** The session that it is about. */
	sessionId: SessionId.optional(),
	/** What to do; absent where it was put right already. */
	fix: z.string().optional(),
	at: Timestamp,
	/** When it was over; null while it stands. */
	until: Timestamp.nullable(),
});
export type Incident = z.infer<typeof Incident>;
