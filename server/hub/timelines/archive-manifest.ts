import * as z from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.number().int().nonnegative();
/** More is never unpacked of one piece, whatever it says. */
const MOST_TEXT = 64 * 1024 * 1024;

/** A piece of a file: one member of its gzip, which can be read alone. */
const Piece = z.object({
	at: whole,
	bytes: whole,
	/** Of the packed bytes. */
	sha256,
	/** Bytes once unpacked. */
	text: whole.max(MOST_TEXT),
	/** Its first line's place: a seq, or of the index a key. */
	first: z.union([z.number(), z.string()]),
	/** Its last line's seq; of the index its key. */
	last: z.union([z.number(), z.string()]),
});

/**
 * What an archived roll of a session says of itself: `<team>/<edge>/<session>-<gen>.json`, with its events as
 * `….jsonl.gz` and what readers need beside them as `….rows.jsonl.gz`. A roll that is not the first has `.<roll>` behind `gen`.
 */
export const ArchiveManifest = z.object({
	v: z.literal(1),
	edge: whole,
	session: z.string(),
	gen: whole,
	roll: whole,
	team: whole,
	project: z.string().nullable(),
	epoch: z.string(),
	/** Its events have the seqs after `base`, up to `seq`, without a hole. */
	base: whole,
	seq: whole,
	/** How far its timeline had been read. */
	offset: whole,
	tailDigest: z.string(),
	/** The time of its last event. */
	lastTs: z.string().nullable(),
	/** The fold's version of rows and view. */
	fold: whole,
	packedAt: z.string(),
	/** One event a line. */
	events: z.array(Piece),
	/** One row a line, by their seq. */
	rows: z.array(Piece),
	/** Lines `[key, seq of the row, seqs of its events]`, by their key. */
	index: z.array(Piece),
	/** The view; instants (ms) of the events; digests of their ids in base64. Each is one line. */
	view: Piece,
	times: Piece,
	ids: Piece,
});

export type ArchiveManifest = z.infer<typeof ArchiveManifest>;
export type Piece = z.infer<typeof Piece>;

/** The names of an archive's objects. */
export const objectsOf = (name: string) => ({
	events: `${name}.jsonl.gz`,
	rows: `${name}.rows.jsonl.gz`,
	manifest: `${name}.json`,
});

/** Where a roll is kept. */
export function archiveName(of: { team: number; edge: number; sessionId: string; gen: number; roll: number }): string {
	const roll = of.roll === 0 ? '' : `.${of.roll}`;
	return `${of.team}/${of.edge}/${of.sessionId}-${of.gen}${roll}`;
}
