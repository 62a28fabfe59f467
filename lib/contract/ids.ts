import * as z from 'zod';
import { isSafeId } from '../ids/safe-id.ts';
import { isSessionName } from '../ids/session-name.ts';

/** As the client sent it, safe as a folder's name. */
export const SessionId = z.string().refine(isSafeId, 'letters, digits, "_" and "-" only, 1 to 128 of them');
export const SessionName = z.string().refine(isSessionName, 'an id of a session, on a hub MACHINE/ID');
export const EventId = z.string().regex(/^[\w.:-]{1,128}$/);
export const ApprovalId = z.string().regex(/^[\w-]{8,64}$/);
export const GrantId = z.string().regex(/^[\w-]{8,64}$/);
/** The row of its call, or the instant at which the silence began. */
export const AlarmKey = z.string().regex(/^(?:call|silent):.{1,300}$/su);
/** An entry of the access list: the beginning of its journal subject. */
export const AccessId = z.string().regex(/^[0-9a-f]{16}$/);
/** ISO 8601 in UTC. Foreign lines may lack milliseconds. */
export const Timestamp = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a date');
