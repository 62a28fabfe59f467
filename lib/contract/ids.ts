import * as z from 'zod';
import { isSafeId } from '../ids/safe-id.ts';
import { isSessionName } from '../ids/session-name.ts';

/** A session's id as the agent sent it, proven safe to become a folder's name. */
export const SessionId = z.string().refine(isSafeId, 'letters, digits, "_" and "-" only, 1 to 128 of them');
/** How pages name a session: by that id, on a hub with the number of its machine before it. */
export const SessionName = z.string().refine(isSessionName, 'an id of a session, on a hub MACHINE/ID');
/** An event's id: 1 to 128 printable characters; hashes and UUIDs in practice. */
export const EventId = z.string().regex(/^[\w.:-]{1,128}$/);
/** An approval's id, also the id of its journal row and of its timeline event. */
export const ApprovalId = z.string().regex(/^[\w-]{8,64}$/);
/** A grant's id: the subject of its journal rows. */
export const GrantId = z.string().regex(/^[\w-]{8,64}$/);
/** An alarm of a session: the row of its call, or the silence that began at an instant. */
export const AlarmKey = z.string().regex(/^(?:call|silent):.{1,300}$/su);
/** What somebody came in or decided by, an entry of the access list: the beginning of its journal subject. */
export const AccessId = z.string().regex(/^[0-9a-f]{16}$/);
/** ISO 8601 in UTC. Foreign lines may lack milliseconds, ours never do. */
export const Timestamp = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a date');
