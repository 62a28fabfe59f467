import * as z from 'zod';
import { EdgeLevel } from '../approvals/approval-record.ts';
import { grantReaches } from '../approvals/grant-reach.ts';
import { FeatureId } from '../archives/features.ts';
import { Denial } from '../events/catalogue/approval.ts';
import { ApprovalId, MachineName, SessionId, Timestamp } from '../ids.ts';

/** Raised with every change that an older program would misread; a hub speaks this one and the one before. */
export const HUB_WIRE = 3;

export const MAX_RANGE_BYTES = 128 * 1024;
export const MAX_RANGE_LINES = 2000;
export const MAX_BODY_BYTES = 1024 * 1024 + 1;
export const MAX_HEADER_BYTES = 256 * 1024;
/** Bytes of ranges (unpacked) that an edge may have sent without an acknowledgement. */
export const CREDIT_BYTES = 512 * 1024;
export const SESSIONS_A_FRAME = 500;
export const FEATURES_A_FRAME = 500;
export const TICKETS_A_FRAME = 400;
export const MAX_ENVELOPE = 200_000;

/** Close codes of the websocket. */
export const CLOSE = {
	revoked: 4401,
	/** Joined by a fleet code and not accepted yet; the edge asks again. */
	pending: 4402,
	quarantined: 4403,
	replaced: 4409,
	upgrade: 4426,
	later: 4429,
	bad: 4400,
} as const;

const Offset = z.int().min(0);
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/);
const Nonce = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);
const Whole = z.int().min(0);
/** Postgres has no NUL. */
const withoutNul = (most: number) =>
	z
		.string()
		.max(most)
		.refine((text) => !text.includes('\0'), 'a NUL');
const Word = withoutNul(200);
const EdgeNumber = z.int32().min(1);

export const ChainHead = z.object({ n: z.int().min(1), hash: Digest });
export type ChainHead = z.infer<typeof ChainHead>;

export const AnnouncedTicket = z.object({
	id: ApprovalId,
	/** SHA-256 of what a decision about it is bound to. */
	digest: Digest,
	nonce: Nonce,
	leftMs: Whole,
});
export type AnnouncedTicket = z.infer<typeof AnnouncedTicket>;

/** `envelope` is JSON signed by the hub's key. */
export const Command = z.object({
	n: z.int().min(1),
	kind: z.string().regex(/^[a-z][a-z-]{0,31}$/),
	envelope: z.string().max(MAX_ENVELOPE),
});
export type Command = z.infer<typeof Command>;

export const CommandResult = z.object({
	n: z.int().min(1),
	state: z.enum(['done', 'refused']),
	why: Word.optional(),
	detail: z.string().max(4000).optional(),
	denials: z.array(Denial).max(20).optional(),
	journal: Whole,
});
export type CommandResult = z.infer<typeof CommandResult>;

/** `signature` covers the rest, the hub's address and its nonce. */
export const Hello = z.object({
	edge: EdgeNumber,
	wire: z.int().min(1),
	counter: Whole,
	journal: ChainHead.nullable(),
	version: Word,
	level: EdgeLevel.optional(),
	signature: Signature,
});
export type Hello = z.infer<typeof Hello>;

/** `payload` is the sealed payload as JSON; fields may be digests only. */
export const JournalLine = z.object({
	n: z.int().min(1),
	id: Word,
	ts: Timestamp,
	kind: Word,
	subject: withoutNul(512),
	sessionId: SessionId.nullable(),
	payloadHash: Digest,
	signer: Word,
	hash: Digest,
	payload: z.string(),
});
export type JournalLine = z.infer<typeof JournalLine>;

export const edgeFrames = {
	hello: Hello,
	/** `rewritten`: digest of what the hub has, if another file took its place. */
	sessions: z.object({
		sessions: z
			.array(z.object({ id: SessionId, size: Offset, birth: Timestamp, rewritten: Digest.optional() }))
			.max(SESSIONS_A_FRAME),
	}),
	journal: z.object({ bytes: Whole.max(MAX_BODY_BYTES) }),
	/**
	 * Whole lines between two offsets; without a body one line too long to be an event. `turn` is that of the hub's last
	 * `at`, `journal` the row that must come first.
	 */
	range: z
		.object({
			session: SessionId,
			turn: Whole,
			from: Offset,
			to: Offset,
			digest: Digest,
			journal: Whole,
			bytes: Whole.max(MAX_BODY_BYTES),
		})
		.refine(({ from, to }) => to > from, 'a range ends behind its beginning')
		.refine(({ from, to, bytes }) => bytes === 0 || bytes === to - from, 'a body is as long as its range'),
	/** All calls that wait, after the journal rows that ask; sent again on every change. */
	ticket: z.object({
		open: z.array(AnnouncedTicket).max(TICKETS_A_FRAME),
		grants: z.enum(grantReaches).optional(),
	}),
	result: CommandResult,
	features: z.object({
		features: z.array(z.object({ id: FeatureId, sheet: Digest })).max(FEATURES_A_FRAME),
	}),
	blob: z.object({
		feature: FeatureId,
		digest: Digest,
		bytes: Whole.max(MAX_BODY_BYTES),
		gone: z.literal(true).optional(),
	}),
	status: z.object({
		behind: Whole,
		lateMs: Whole.optional(),
		sessions: Whole,
		at: Timestamp,
		level: EdgeLevel.optional(),
	}),
} as const;

export const hubFrames = {
	challenge: z.object({ wire: z.int().min(1), nonce: Nonce }),
	welcome: z.object({ counter: Whole, journal: Whole, credit: Whole, team: Word, name: Word }),
	/** Where the next range of a session begins; also unasked, to have bytes sent again. */
	at: z.object({
		session: SessionId,
		turn: Whole,
		offset: Offset,
		digest: z.union([Digest, z.literal('')]),
	}),
	ack: z.object({ session: SessionId, turn: Whole, to: Offset }),
	'ack-journal': z.object({ n: Whole }),
	slow: z.object({ ms: Whole.max(600_000) }),
	/** In order of number; repeated after each hello until its result has come. */
	command: Command,
	want: z.object({ feature: FeatureId, digest: Digest }),
	kept: z.object({ feature: FeatureId, sheet: Digest }),
	/** A person who may decide is present for this long; 0 if no one is. */
	lease: z.object({ ms: Whole.max(60_000) }),
} as const;

export type EdgeFrameType = keyof typeof edgeFrames;
export type HubFrameType = keyof typeof hubFrames;
export type EdgeFrame = {
	[T in EdgeFrameType]: { type: T; header: z.infer<(typeof edgeFrames)[T]>; body: Uint8Array };
}[EdgeFrameType];
export type HubFrame = {
	[T in HubFrameType]: { type: T; header: z.infer<(typeof hubFrames)[T]>; body: Uint8Array };
}[HubFrameType];

export const JoinRequest = z.object({
	code: z.string().regex(/^[A-Z2-7]{26}$/),
	key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
	name: MachineName,
	version: Word,
});
export type JoinRequest = z.infer<typeof JoinRequest>;

export const CiJoinRequest = JoinRequest.omit({ code: true }).extend({
	token: z
		.string()
		.max(12_000)
		.regex(/^[\w-]+\.[\w-]+\.[\w-]*$/),
});
export type CiJoinRequest = z.infer<typeof CiJoinRequest>;

export const RootPasskeys = z.object({
	rpId: z.string().min(1).max(253),
	rootPasskeys: z
		.array(z.object({ id: z.string().max(1400), cose: z.string().max(2000) }))
		.min(1)
		.max(20),
});

/** The document's digest travels with the join code, so that the hub cannot replace it. */
const RootOne = z.object({
	v: z.literal(1),
	origin: z.string().max(300),
	name: Word,
	key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export const RootDocument = z.discriminatedUnion('v', [
	RootOne,
	RootOne.extend({ v: z.literal(2), ...RootPasskeys.shape }),
]);
export type RootDocument = z.infer<typeof RootDocument>;

export const Joined = z.object({
	edge: z.int().min(1),
	team: Word,
	root: RootDocument,
	pending: z.boolean().optional(),
});
export type Joined = z.infer<typeof Joined>;
