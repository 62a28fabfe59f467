import * as z from 'zod';
import { UsageTotals } from '../events/usage.ts';
import { SessionId, SessionName, Timestamp } from '../ids.ts';
import { WorkflowKey } from '../sessions/session-actions.ts';
import { BlobParam, HandoffParam } from '../sessions/session-queries.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Bytes = z.int().nonnegative();

export const FeatureState = z.enum(['in-progress', 'paused', 'backlog', 'archived']);
export type FeatureState = z.infer<typeof FeatureState>;

/** Twelve hex digits for the project, then the feature's name or its archive's folder. */
export const FeatureId = z.string().regex(/^[0-9a-f]{12}-[a-z0-9][a-z0-9_-]{0,130}$/);
/** On a hub with the number of the machine before the id. */
const FeatureKey = z.string().regex(/^(?:\d{1,9}\/)?[0-9a-f]{12}-[a-z0-9][a-z0-9_-]{0,130}$/);

export const ManifestDocument = z.object({ name: z.string().max(1000), bytes: Bytes, sha256: Sha256 });
export type ManifestDocument = z.infer<typeof ManifestDocument>;

/** A handoff or large value, by its path below the session's folder; the digest is of the uncompressed text. */
export const ManifestFile = ManifestDocument.extend({
	packed: z.literal(true).optional(),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** `to` is exclusive. */
export const ByteRange = z.object({ from: Bytes, to: Bytes, sha256: Sha256 });
export type ByteRange = z.infer<typeof ByteRange>;

/** A session has several only if its file was rewritten. */
export const ManifestTimeline = z.object({
	file: z.string().regex(/^[A-Za-z0-9_-]{1,128}(?:\.\d{1,4})?\.jsonl\.gz$/),
	bytes: Bytes,
	sha256: Sha256,
	/** Without gaps from 0, so that a damaged place can be named. */
	ranges: z.array(ByteRange),
});
export type ManifestTimeline = z.infer<typeof ManifestTimeline>;

export const ManifestSession = z.object({
	sessionId: SessionId,
	ended: z.boolean(),
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
	complete: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;

export const FeatureOutcome = z.object({
	durationMs: z.number().nonnegative(),
	/** Without events and open calls; older counts lack it. */
	idleMs: z.number().nonnegative().optional(),
	retries: z.int(),
	/** Stages whose first attempt passed, 0 to 1; null if no stage ended. */
	passAt1: z.number().nullable(),
	unclear: z.int().optional(),
	denials: z.int(),
	overrides: z.int(),
	usage: UsageTotals.optional(),
	/** `ID:FROM-TO` in ms since the epoch. Older counts lack it. */
	spans: z.array(z.string().max(200)).optional(),
});
export type FeatureOutcome = z.infer<typeof FeatureOutcome>;

export const FeatureRecord = z.object({
	id: FeatureKey,
	project: z.string(),
	name: z.string(),
	state: FeatureState,
	tasks: z.object({ done: z.int(), total: z.int(), next: z.array(z.string()), more: z.int() }),
	workflow: z.string().optional(),
	created: z.string().optional(),
	archivedAt: z.string().optional(),
	sessions: z.array(SessionName),
	makes: z.array(z.string()),
	outcome: FeatureOutcome.optional(),
	usage: UsageTotals.optional(),
	machine: z.object({ name: z.string(), team: z.string() }).optional(),
});
export type FeatureRecord = z.infer<typeof FeatureRecord>;

/** Written by agents. */
export const FeatureText = z.object({
	name: z.string(),
	text: z.string(),
	cut: z.boolean(),
});
export type FeatureText = z.infer<typeof FeatureText>;

export const FeatureRun = z.object({
	sessionId: SessionId,
	stage: z.string(),
	from: z.number(),
	to: z.number().nullable(),
	result: z.string().optional(),
});
export type FeatureRun = z.infer<typeof FeatureRun>;

export const FeaturesQuery = z.object({
	session: SessionName.optional(),
	team: z.string().max(300).optional(),
	machine: z.string().max(300).optional(),
	project: z.string().max(300).optional(),
});
export type FeaturesQuery = z.infer<typeof FeaturesQuery>;

/** The id of a feature before it was archived leads to its last archive. */
export const FeatureDetail = z.object({
	feature: FeatureRecord,
	runs: z.array(FeatureRun),
	documents: z.array(FeatureText),
	manifest: Manifest.nullable(),
	handoffs: z.array(FeatureText.extend({ sessionId: SessionName })),
	/** The archive came as a file: this home's journal knows nothing of its decisions. */
	imported: z.literal(true).optional(),
	/** ISO; the retention removed all but the documents. */
	removedAt: z.string().optional(),
	hub: z
		.object({
			unshared: z.int(),
			left: z.int(),
			/** False: the hub has no object store, so all files stay at the machine. */
			stored: z.boolean(),
		})
		.optional(),
});
export type FeatureDetail = z.infer<typeof FeatureDetail>;

export const FeatureAction = z.enum(['pause', 'resume', 'archive']);
export type FeatureAction = z.infer<typeof FeatureAction>;
export const FeatureActionBody = z.strictObject({ action: FeatureAction });

export const FeatureProject = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/), name: z.string(), root: z.string() });
export type FeatureProject = z.infer<typeof FeatureProject>;

export const NewFeatureBody = z.strictObject({
	project: FeatureProject.shape.id,
	name: z.string().max(100),
	workflow: WorkflowKey.optional(),
	backlog: z.boolean().optional(),
});
export type NewFeatureBody = z.infer<typeof NewFeatureBody>;

export const FeatureParam = z.object({ id: FeatureKey });
export const FeatureSessionParam = z.object({ id: FeatureKey, sessionId: SessionName });

export const FeatureBlobParam = FeatureSessionParam.extend({ sha: BlobParam.shape.sha });
export const FeatureHandoffParam = FeatureSessionParam.extend({ name: HandoffParam.shape.name });

export const ExportHead = z.object({
	signalbox: z.literal('archive'),
	version: z.literal(1),
	redacted: z.boolean(),
	manifest: Manifest,
	outcome: FeatureOutcome.nullable(),
});
export type ExportHead = z.infer<typeof ExportHead>;

const Base64 = z.string();

export const ExportLine = z.union([
	z.object({ timeline: z.object({ sessionId: SessionId, file: z.string(), from: Bytes, to: Bytes, data: Base64 }) }),
	z.object({ file: z.object({ sessionId: SessionId, name: z.string(), data: Base64 }) }),
	z.object({ document: z.object({ name: z.string(), data: Base64 }) }),
	z.object({ event: z.looseObject({ sessionId: SessionId }) }),
	z.object({ end: z.object({ lines: Bytes, sha256: Sha256 }) }),
]);
export type ExportLine = z.infer<typeof ExportLine>;

export const ReadableFormat = z.enum(['html', 'markdown', 'csv']);
export type ReadableFormat = z.infer<typeof ReadableFormat>;

export const ExportQuery = z.strictObject({
	format: ReadableFormat,
	redact: z.enum(['true', 'false']).default('false'),
});

export const RedactionCounts = z.object({
	events: z.int(),
	touched: z.int(),
	ids: z.int(),
	fields: z.array(z.object({ type: z.string(), field: z.string(), count: z.int(), characters: z.int() })),
	leftOut: z.int(),
});
export type RedactionCounts = z.infer<typeof RedactionCounts>;

/** A larger document, handoff or value stays at its machine. */
export const MAX_FEATURE_FILE = 1024 * 1024;
/** Documents first, then handoffs, then large values. */
export const MAX_FEATURE_FILES = 2000;
export const MAX_FEATURE_BYTES = 64 * 1024 * 1024;

/** A machine's description of an archived feature. The hub has the events already, and fetches files by their digests. */
export const FeatureSheet = z
	.object({
		v: z.literal(1),
		feature: FeatureRecord.extend({
			id: FeatureId,
			project: z.string().max(255),
			name: z.string().max(200),
			sessions: z.array(SessionId),
		}),
		manifest: Manifest,
		unshared: z.int().nonnegative(),
		left: z.int().nonnegative(),
	})
	.refine(({ feature, manifest }) => feature.id === manifest.id && feature.state === 'archived', 'another feature')
	.refine(({ manifest }) => fitsBounds(filesOf(manifest)), 'more files than travel');
export type FeatureSheet = z.infer<typeof FeatureSheet>;

/** Every file of an archive that a hub may fetch. */
export const filesOf = ({ documents, sessions }: Pick<Manifest, 'documents' | 'sessions'>) => [
	...documents,
	...sessions.flatMap(({ files }) => files),
];

function fitsBounds(files: readonly { bytes: number }[]): boolean {
	const sum = files.reduce((bytes, file) => bytes + file.bytes, 0);
	const isSmall = files.every(({ bytes }) => bytes <= MAX_FEATURE_FILE);
	return isSmall && files.length <= MAX_FEATURE_FILES && sum <= MAX_FEATURE_BYTES;
}
