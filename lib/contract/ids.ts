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

/** Characters that act on a terminal, break lines or turn the reading direction; halves of a character. */
const ACTS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const hubName = (most: number) =>
	z
		.string()
		.trim()
		.min(1, 'it is empty')
		.max(most, `it is longer than ${most} characters`)
		.refine((text) => SEEN.test(text), 'it holds nothing that is seen')
		.refine((text) => !ACTS.test(text), 'it holds a character that acts instead of being read');

export const TeamName = hubName(80);
export const TokenName = hubName(80);
export const MachineName = hubName(80);
