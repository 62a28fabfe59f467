import * as z from 'zod';
import { EdgeLevel } from '../approvals/approval-record.ts';
import { grantReaches } from '../approvals/grant-reach.ts';
import { FeatureId } from '../archives/features.ts';
import { Denial } from '../events/catalogue/approval.ts';
import { ApprovalId, SessionId, Timestamp } from '../ids.ts';
import { MachineName } from './hub-name.ts';

/** Raised with every change that an older program would misread; a hub speaks this one and the one before. */
export const HUB_WIRE = 3;

/** A range of a timeline holds at most so many bytes, but for a single line that is longer. */
export const MAX_RANGE_BYTES = 128 * 1024;
/** And so many lines, blank ones too: each may become an event. */
export const MAX_RANGE_LINES = 2000;
/** What a body may come to when it is unpacked: the longest line that a timeline may hold, and its newline. */
export const MAX_BODY_BYTES = 1024 * 1024 + 1;
/** A header is names and numbers; five hundred sessions fit. */
export const MAX_HEADER_BYTES = 256 * 1024;
/** Bytes of ranges (unpacked) that an edge may have sent without their having been acknowledged. */
export const CREDIT_BYTES = 512 * 1024;
/** Sessions in one frame. */
export const SESSIONS_A_FRAME = 500;
/** Archived features in one frame. */
export const FEATURES_A_FRAME = 500;
/** Waiting calls that an edge tells of at once; of more, the hub shows the newest. */
export const TICKETS_A_FRAME = 400;
/** What one command may say. */
export const MAX_ENVELOPE = 200_000;

/** Why a hub ends a connection, as the close code of the websocket. */
export const CLOSE = {
	/** The edge may not come any more. */
	revoked: 4401,
	/** It came by a fleet's code, and nobody has taken it in yet: it asks again. Older edges take it for a hub that is away. */
	pending: 4402,
	/** What it says of itself does not fit what the hub knows: an admin has to look at it. */
	quarantined: 4403,
	/** Another connection of the same edge took the place. */
	replaced: 4409,
	/** One of the two is too old. */
	upgrade: 4426,
	/** The hub ends, or cannot take more now. */
	later: 4429,
	/** A frame that nobody should send. */
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
/** The number of an edge, as Postgres counts them. */
const EdgeNumber = z.int32().min(1);

/** The newest row of a journal: its number and hash. */
export const ChainHead = z.object({ n: z.int().min(1), hash: Digest });
export type ChainHead = z.infer<typeof ChainHead>;

/** A call that waits at the edge; the row of its journal that asks says the rest. */
export const OpenTicket = z.object({
	id: ApprovalId,
	/** SHA-256 of what a decision about it is bound to. */
	digest: Digest,
	nonce: Nonce,
	/** By the edge's steady clock. */
	leftMs: Whole,
});
export type OpenTicket = z.infer<typeof OpenTicket>;

/** What the hub wants the edge to do; `envelope` is JSON that the hub's key has signed. */
export const Command = z.object({
	n: z.int().min(1),
	kind: z.string().regex(/^[a-z][a-z-]{0,31}$/),
	envelope: z.string().max(MAX_ENVELOPE),
});
export type Command = z.infer<typeof Command>;

/** What became of a command. */
export const CommandResult = z.object({
	n: z.int().min(1),
	state: z.enum(['done', 'refused']),
	/** Of a refusal: a code, or words. */
	why: Word.optional(),
	/** What the edge's own service says of a decision that it refuses. */
	detail: z.string().max(4000).optional(),
	denials: z.array(Denial).max(20).optional(),
	/** The newest row of the edge's journal that has to do with it; 0: there is none. */
	journal: Whole,
});
export type CommandResult = z.infer<typeof CommandResult>;

/** What an edge says of itself; `signature` covers all of the rest, the hub's address and its nonce. */
export const Hello = z.object({
	edge: EdgeNumber,
	wire: z.int().min(1),
	/** Which of its connections it is: a copy of the edge says one that was said before. */
	counter: Whole,
	journal: ChainHead.nullable(),
	version: Word,
	/** Absent: 'watch', as older edges have it. */
	level: EdgeLevel.optional(),
	signature: Signature,
});
export type Hello = z.infer<typeof Hello>;

/** A row of the edge's journal as its chain has it; `payload` is the sealed payload as JSON, some of it only as digests. */
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

/** What an edge sends. */
export const edgeFrames = {
	hello: Hello,
	/** Sessions that it has; `rewritten` is the digest of what the hub has, where another file stands in its place. */
	sessions: z.object({
		sessions: z
			.array(z.object({ id: SessionId, size: Offset, birth: Timestamp, rewritten: Digest.optional() }))
			.max(SESSIONS_A_FRAME),
	}),
	/** Rows of its journal; the body is a JSON list of `JournalLine`. */
	journal: z.object({ bytes: Whole.max(MAX_BODY_BYTES) }),
	/**
	 * Whole lines of a session between two offsets of its file, in the body; without one the range is one line that is too
	 * long to be an event. `turn` is that of the hub's last `at`, `journal` the row that must be there before.
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
	/** All calls that wait now, after the rows of the journal that ask; sent again whenever one comes or goes. */
	ticket: z.object({
		open: z.array(OpenTicket).max(TICKETS_A_FRAME),
		/** How far what people allow at the hub may last here. Absent: for no later call, as older edges have it. */
		grants: z.enum(grantReaches).optional(),
	}),
	result: CommandResult,
	/** Archived features that it shares, each with the digest of its sheet as it is now. */
	features: z.object({
		features: z.array(z.object({ id: FeatureId, sheet: Digest })).max(FEATURES_A_FRAME),
	}),
	/** What the hub wanted, in the body; `gone` where there is nothing of this digest any more. */
	blob: z.object({
		feature: FeatureId,
		digest: Digest,
		bytes: Whole.max(MAX_BODY_BYTES),
		gone: z.literal(true).optional(),
	}),
	/** How it is, each 20 s: bytes that the hub does not have, and for how long the oldest of them have waited. */
	status: z.object({
		...{ behind: Whole, lateMs: Whole.optional(), sessions: Whole },
		...{ at: Timestamp, level: EdgeLevel.optional() },
	}),
} as const;

/** What a hub sends. */
export const hubFrames = {
	challenge: z.object({ wire: z.int().min(1), nonce: Nonce }),
	/** `counter` is what the next hello says; `journal` the row up to which the hub has the edge's journal. */
	welcome: z.object({ counter: Whole, journal: Whole, credit: Whole, team: Word, name: Word }),
	/** Where a session stands: what comes next begins there. Also unasked, to have bytes sent again. */
	at: z.object({
		session: SessionId,
		turn: Whole,
		offset: Offset,
		digest: z.union([Digest, z.literal('')]),
	}),
	/** Committed up to there; gives back credit. */
	ack: z.object({ session: SessionId, turn: Whole, to: Offset }),
	'ack-journal': z.object({ n: Whole }),
	/** Send nothing for so many ms. */
	slow: z.object({ ms: Whole.max(600_000) }),
	/** In the order of their numbers; again after each hello, until the result has come. */
	command: Command,
	/** The sheet of an archived feature, or a file that its sheet names; one at a time. */
	want: z.object({ feature: FeatureId, digest: Digest }),
	/** The hub has the feature as this sheet tells it, for good. */
	kept: z.object({ feature: FeatureId, sheet: Digest }),
	/** For so many ms from now on somebody who may decide watches at the hub; 0: nobody does. */
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

/** What somebody asks for with a code: `POST /edge/join`. */
export const JoinRequest = z.object({
	code: z.string().regex(/^[A-Z2-7]{26}$/),
	/** The edge's public key, raw, base64url. */
	key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
	/** How people call the machine. */
	name: MachineName,
	version: Word,
});
export type JoinRequest = z.infer<typeof JoinRequest>;

/** What a CI job asks for with the token that its maker gave it, at the same place. */
export const CiJoinRequest = JoinRequest.omit({ code: true }).extend({
	token: z
		.string()
		.max(12_000)
		.regex(/^[\w-]+\.[\w-]+\.[\w-]*$/),
});
export type CiJoinRequest = z.infer<typeof CiJoinRequest>;

/** What a hub's people are known by to its machines. */
export const RootPasskeys = z.object({
	/** What the passkeys of this hub's people are bound to: its host, or a domain above it. */
	rpId: z.string().min(1).max(253),
	/** They alone take people into the roster; `cose` is the public key, base64url. */
	rootPasskeys: z
		.array(z.object({ id: z.string().max(1400), cose: z.string().max(2000) }))
		.min(1)
		.max(20),
});

/** Who may decide, and for whom: its digest comes with the code, so that the hub cannot put another in its place. */
const RootOne = z.object({
	v: z.literal(1),
	origin: z.string().max(300),
	name: Word,
	/** The hub's public key, raw, base64url. */
	key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export const RootDocument = z.discriminatedUnion('v', [
	RootOne,
	RootOne.extend({ v: z.literal(2), ...RootPasskeys.shape }),
]);
export type RootDocument = z.infer<typeof RootDocument>;

/** What a join gives. */
export const Joined = z.object({
	edge: z.int().min(1),
	team: Word,
	root: RootDocument,
	/** Nothing is taken of it until an admin of the hub takes it in. */
	pending: z.boolean().optional(),
});
export type Joined = z.infer<typeof Joined>;
