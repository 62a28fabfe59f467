import * as z from 'zod';
import { SessionId, Timestamp } from '../ids.ts';
import { Sentences } from '../sentences.ts';

/** What may have let a call through without a decision, or spoilt what pages show. */
export const IncidentCode = z.enum([
	'door/replaced',
	'door/opened',
	'hook/changed',
	'settings/changed',
	'call/other-input',
	'agent/unasked',
	'plan/edited',
	'config/loosened',
	'journal/changed',
	'index/damaged',
	'disk/full',
	'access/minted',
]);
export type IncidentCode = z.infer<typeof IncidentCode>;

export const Incident = z.object({
	code: IncidentCode,
	about: z.string(),
	message: z.string(),
	sessionId: SessionId.optional(),
	...{ fix: z.string().optional(), sentences: Sentences<'message' | 'fix'>() },
	at: Timestamp,
	until: Timestamp.nullable(),
});
export type Incident = z.infer<typeof Incident>;
