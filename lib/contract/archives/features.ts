import * as z from 'zod';
import { UsageTotals } from '../events/usage.ts';
import { SessionId, SessionName, Timestamp } from '../ids.ts';
import { BlobParam, HandoffParam } from '../sessions/session-queries.ts';
import { WorkflowKey } from '../sessions/workflow-control.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Bytes = z.int().nonnegative();

/** The place of a feature: the folder that it is in. */
export const FeatureState = z.enum(['in-progress', 'paused', 'backlog', 'archived']);
export type FeatureState = z.infer<typeof FeatureState>;

/** Twelve hex digits for the project, then the feature's name or its archive's folder. */
export const FeatureId = z.string().regex(/^[0-9a-f]{12}-[a-z0-9][a-z0-9_-]{0,130}$/);
/** How pages name a feature: by that id, on a hub with the number of its machine before it. */
export const FeatureKey = z.string().regex(/^(?:\d{1,9}\/)?[0-9a-f]{12}-[a-z0-9][a-z0-9_-]{0,130}$/);

/** One document of an archived feature, by its path inside the folder. */
export const ManifestDocument = z.object({ name: z.string().max(1000), bytes: Bytes, sha256: Sha256 });
export type ManifestDocument = z.infer<typeof ManifestDocument>;

/** A handoff or large value that was kept, by its path below the session's folder; the digest is of the whole text. */
export const ManifestFile = ManifestDocument.extend({
	/** It lies compressed beside the state root's manifest, with `.gz` behind its name. */
	packed: z.literal(true).optional(),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** A range of a timeline's bytes, `to` exclusive, with its digest. */
export const ByteRange = z.object({ from: Bytes, to: Bytes, sha256: Sha256 });
export type ByteRange = z.infer<typeof ByteRange>;

/** One kept timeline. A session has more than one only if its file was rewritten after the first was kept. */
export const ManifestTimeline = z.object({
	/** The compressed file beside the state root's manifest. */
	file: z.string().regex(/^[A-Za-z0-9_-]{1,128}(?:\.\d{1,4})?\.jsonl\.gz$/),
	/** Before compression. */
	bytes: Bytes,
	sha256: Sha256,
	/** Gap-free from 0, so that a damaged place can be named. */
	ranges: z.array(ByteRange),
});
export type ManifestTimeline = z.infer<typeof ManifestTimeline>;

/** One session of an archived feature. */
export const ManifestSession = z.object({
	sessionId: SessionId,
	/** Whether the session had ended when it was last copied; until then it is copied again. */
	ended: z.boolean(),
	/** Where in the timeline the feature begins and ends, in bytes; absent when no line names it. */
	part: z.object({ from: Bytes, to: Bytes }).optional(),
	timelines: z.array(ManifestTimeline).max(1000),
	files: z.array(ManifestFile),
});
export type ManifestSession = z.infer<typeof ManifestSession>;

/** `manifest.json` of an archived feature. It names no path of the machine. */
export const Manifest = z.object({
	version: z.literal(1),
	id: FeatureId,
	feature: z.string(),
	folder: z.string(),
	workflow: z.string().optional(),
	created: z.string().optional(),
	archivedAt: Timestamp,
	documents: z.array(ManifestDocument),
	sessions: z.array(ManifestSession),
	/** Whether every session has ended and is kept whole. */
	complete: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;

/** What became of an archived feature in numbers. */
export const FeatureOutcome = z.object({
	/** Milliseconds from its first to its last event. */
	durationMs: z.number().nonnegative(),
	/** Of them those in which nothing happened and no call was open; older counts lack it. */
	idleMs: z.number().nonnegative().optional(),
	retries: z.int(),
	/** The share of stages whose first attempt passed, 0 to 1; null where no stage ended. */
	passAt1: z.number().nullable(),
	/** Stages whose first attempt ended without a verdict; absent where there are none. */
	unclear: z.int().optional(),
	denials: z.int(),
	overrides: z.int(),
	/** What its models took; absent where nothing is known of it. */
	usage: UsageTotals.optional(),
	/** Which part of each session was counted: `ID:FROM-TO` in ms since the epoch. Older counts lack it. */
	spans: z.array(z.string().max(200)).optional(),
});
export type FeatureOutcome = z.infer<typeof FeatureOutcome>;

/** One element of `GET /api/features`. */
export const FeatureRecord = z.object({
	id: FeatureKey,
	/** The name of the project's folder. */
	project: z.string(),
	name: z.string(),
	state: FeatureState,
	tasks: z.object({ done: z.int(), total: z.int(), next: z.array(z.string()), more: z.int() }),
	workflow: z.string().optional(),
	created: z.string().optional(),
	archivedAt: z.string().optional(),
	/** The names of its sessions, as far as known. */
	sessions: z.array(SessionName),
	/** The makes of agent of those that are listed on this machine. */
	makes: z.array(z.string()),
	/** Of archived features, once their timelines have been counted. */
	outcome: FeatureOutcome.optional(),
	/** Of the others: what the models of its sessions took so far; absent where nothing is known of it. */
	usage: UsageTotals.optional(),
	/** At a hub: whose it is. */
	machine: z.object({ name: z.string(), team: z.string() }).optional(),
});
export type FeatureRecord = z.infer<typeof FeatureRecord>;

/** A text of a feature, as it is in its folder. Written by agents. */
export const FeatureText = z.object({
	name: z.string(),
	text: z.string(),
	/** True where the text is cut or may not be read; then it is shorter or empty. */
	cut: z.boolean(),
});
export type FeatureText = z.infer<typeof FeatureText>;

/** One run of a stage in one of a feature's sessions. Times are ms since the epoch; `to` is null while it runs. */
export const FeatureRun = z.object({
	...{ sessionId: SessionId, stage: z.string(), from: z.number(), to: z.number().nullable() },
	result: z.string().optional(),
});
export type FeatureRun = z.infer<typeof FeatureRun>;

/** `GET /api/features`: with `session`, only those that it works on, or has worked on. */
export const FeaturesQuery = z.object({
	session: SessionName.optional(),
	/** At a hub: only those of this team, machine or project, by their names. */
	team: z.string().max(300).optional(),
	machine: z.string().max(300).optional(),
	project: z.string().max(300).optional(),
});
export type FeaturesQuery = z.infer<typeof FeaturesQuery>;

/** `GET /api/features/:id`: under the id that a feature had before it was archived, its last archive. */
export const FeatureDetail = z.object({
	feature: FeatureRecord,
	/** Of features that are not archived, the first to begin first. */
	runs: z.array(FeatureRun),
	documents: z.array(FeatureText),
	/** Of archived features that this machine has timelines of. */
	manifest: Manifest.nullable(),
	handoffs: z.array(FeatureText.extend({ sessionId: SessionName })),
	/** It came as a file from elsewhere: what people decided in it stands in no journal of this home. */
	imported: z.literal(true).optional(),
	/** When the retention removed the archive, ISO; only the documents are left. */
	removedAt: z.string().optional(),
	/** At a hub: what of it is at its machine alone. */
	hub: z
		.object({
			/** Sessions that the machine does not share; documents, handoffs and large values that stayed there. */
			unshared: z.int(),
			left: z.int(),
			/** False: the hub has no object store, so that all documents, handoffs and large values stayed. */
			stored: z.boolean(),
		})
		.optional(),
});
export type FeatureDetail = z.infer<typeof FeatureDetail>;

/** `POST /api/features/:id` */
export const FeatureAction = z.enum(['pause', 'resume', 'archive']);
export type FeatureAction = z.infer<typeof FeatureAction>;
export const FeatureActionBody = z.strictObject({ action: FeatureAction });

/** A project that features can be made in: its id is the first part of their ids. */
export const FeatureProject = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/), name: z.string(), root: z.string() });
export type FeatureProject = z.infer<typeof FeatureProject>;

/** `POST /api/features`: without `backlog` it is in progress at once. */
export const NewFeatureBody = z.strictObject({
	project: FeatureProject.shape.id,
	name: z.string().max(100),
	workflow: WorkflowKey.optional(),
	backlog: z.boolean().optional(),
});
export type NewFeatureBody = z.infer<typeof NewFeatureBody>;

export const FeatureParam = z.object({ id: FeatureKey });
export const FeatureSessionParam = z.object({ id: FeatureKey, sessionId: SessionName });

/** `GET /api/features/:id/sessions/:sessionId/blobs/:sha` and `.../handoffs/:name` */
export const FeatureBlobParam = FeatureSessionParam.extend({ sha: BlobParam.shape.sha });
export const FeatureHandoffParam = FeatureSessionParam.extend({ name: HandoffParam.shape.name });

/** The first line of an exported archive. */
export const ExportHead = z.object({
	signalbox: z.literal('archive'),
	version: z.literal(1),
	redacted: z.boolean(),
	manifest: Manifest,
	outcome: FeatureOutcome.nullable(),
});
export type ExportHead = z.infer<typeof ExportHead>;

const Base64 = z.string();

/** Every further line: bytes of a timeline, a session's file or a document; of a redacted export one event; the end. */
export const ExportLine = z.union([
	z.object({ timeline: z.object({ sessionId: SessionId, file: z.string(), from: Bytes, to: Bytes, data: Base64 }) }),
	z.object({ file: z.object({ sessionId: SessionId, name: z.string(), data: Base64 }) }),
	z.object({ document: z.object({ name: z.string(), data: Base64 }) }),
	z.object({ event: z.looseObject({ sessionId: SessionId }) }),
	z.object({ end: z.object({ lines: Bytes, sha256: Sha256 }) }),
]);
export type ExportLine = z.infer<typeof ExportLine>;

/** What an archive can be written as for people. */
export const ReadableFormat = z.enum(['html', 'markdown', 'csv']);
export type ReadableFormat = z.infer<typeof ReadableFormat>;

/** `GET /api/features/:id/export` */
export const ExportQuery = z.strictObject({
	format: ReadableFormat,
	/** `true` leaves out what was said. */
	redact: z.enum(['true', 'false']).default('false'),
});

/** `GET /api/features/:id/redaction`: what a redacted export would leave out, counted. */
export const RedactionCounts = z.object({
	events: z.int(),
	/** Events of which something would be left out beside their ids. */
	touched: z.int(),
	/** Ids that would become salted digests. */
	ids: z.int(),
	/** What would be left out of one field of one type of event; the most characters first. */
	fields: z.array(z.object({ type: z.string(), field: z.string(), count: z.int(), characters: z.int() })),
	/** Documents and files of sessions, which are left out as a whole. */
	leftOut: z.int(),
});
export type RedactionCounts = z.infer<typeof RedactionCounts>;
