import * as z from 'zod';

/** The last row of the journal at some moment; the hash covers everything up to row `n`. */
export const JournalHead = z.object({ n: z.int().positive(), hash: z.string() });
export type JournalHead = z.infer<typeof JournalHead>;

/** A head that was left outside this machine, when (ISO) and where (the anchor, in words). */
export const PlacedHead = z.object({ ...JournalHead.shape, ts: z.string(), place: z.string() });
export type PlacedHead = z.infer<typeof PlacedHead>;

/**
 * A place where the journal goes on after a loss, as its own row says: `gone` and `empty` are the file's, `damaged` is a
 * page of it, `shorter` and `other` an older journal or another one in its place, `key` the key that signed it.
 */
export const JournalBreak = z.object({
	reason: z.enum(['gone', 'empty', 'damaged', 'shorter', 'other', 'key']),
	/** What was wrong, as a clause. */
	what: z.string(),
	/** The last row that is as it was written; null where none is. */
	after: JournalHead.nullable(),
	/** The newest row that the home remembered. */
	known: JournalHead.nullable(),
	/** The name of the former journal in the home; null where there was nothing to keep. */
	kept: z.string().nullable(),
});
export type JournalBreak = z.infer<typeof JournalBreak>;

/** `GET /api/audit`: how far somebody outside can vouch for the journal. It is not looked through for this. */
export const AuditState = z.object({
	head: JournalHead.nullable(),
	/** The last head that an outside place took; null: UNANCHORED. */
	anchored: PlacedHead.nullable(),
	/** What has to be known of the kind of anchor that took it. */
	caveat: z.string().nullable(),
	/** How many anchors are set up. */
	anchors: z.int(),
});
export type AuditState = z.infer<typeof AuditState>;
