import * as z from 'zod';
import { SessionId } from '../ids.ts';
import { FeatureId, FeatureRecord, Manifest } from './features.ts';

/** A document, handoff or large value of more bytes stays at its machine. */
export const MAX_FEATURE_FILE = 1024 * 1024;
/** Of one feature no more travel, and no more bytes in all: documents first, then handoffs, then large values. */
export const MAX_FEATURE_FILES = 2000;
export const MAX_FEATURE_BYTES = 64 * 1024 * 1024;

/**
 * What a machine tells its hub of an archived feature. The events of its sessions are not in it: the hub has them. Its
 * documents and files are fetched by the digests that its manifest names.
 */
export const FeatureSheet = z
	.object({
		v: z.literal(1),
		feature: FeatureRecord.extend({
			...{ id: FeatureId, project: z.string().max(255), name: z.string().max(200) },
			sessions: z.array(SessionId),
		}),
		/** Of what is shared and travels alone; the ranges of timelines are left out. */
		manifest: Manifest,
		/** Sessions that are not shared, and documents and files that stay at the machine. */
		unshared: z.int().nonnegative(),
		left: z.int().nonnegative(),
	})
	.refine(({ feature, manifest }) => feature.id === manifest.id && feature.state === 'archived', 'another feature')
	.refine(({ manifest }) => fitsBounds(filesOf(manifest)), 'more files than travel');
export type FeatureSheet = z.infer<typeof FeatureSheet>;

/** The documents and files that a manifest names; one digest may stand there more than once. */
export const filesOf = ({ documents, sessions }: Pick<Manifest, 'documents' | 'sessions'>) => [
	...documents,
	...sessions.flatMap(({ files }) => files),
];

/** Whether so much of one feature travels. */
export function fitsBounds(files: readonly { bytes: number }[]): boolean {
	const sum = files.reduce((bytes, file) => bytes + file.bytes, 0);
	const isSmall = files.every(({ bytes }) => bytes <= MAX_FEATURE_FILE);
	return isSmall && files.length <= MAX_FEATURE_FILES && sum <= MAX_FEATURE_BYTES;
}
