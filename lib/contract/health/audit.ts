import * as z from 'zod';

/** The last row of the journal; the hash covers everything up to row `n`. */
export const JournalHead = z.object({ n: z.int().positive(), hash: z.string() });
export type JournalHead = z.infer<typeof JournalHead>;

/** A head outside this machine: when (ISO) and where (the anchor, in words). */
export const PlacedHead = z.object({ ...JournalHead.shape, ts: z.string(), place: z.string() });
export type PlacedHead = z.infer<typeof PlacedHead>;

/**
 * Where the journal continues after a loss. `shorter`, `other`: an older or another journal took its place; `key`: its signing
 * key.
 */
export const JournalBreak = z.object({
	reason: z.enum(['gone', 'empty', 'damaged', 'shorter', 'other', 'key']),
	what: z.string(),
	/** The last intact row. */
	after: JournalHead.nullable(),
	known: JournalHead.nullable(),
	/** The former journal's name in the home. */
	kept: z.string().nullable(),
});
export type JournalBreak = z.infer<typeof JournalBreak>;

/** How far somebody outside can vouch for the journal; not verified for this. */
export const AuditState = z.object({
	head: JournalHead.nullable(),
	/** Null: NOT ANCHORED. */
	anchored: PlacedHead.nullable(),
	/** What to know of that kind of anchor. */
	caveat: z.string().nullable(),
	anchors: z.int(),
});
export type AuditState = z.infer<typeof AuditState>;
