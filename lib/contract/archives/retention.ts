import * as z from 'zod';
import { FeatureId } from './features.ts';

const Days = z.number().nonnegative();

export const RetentionItem = z.object({
	what: z.enum(['session', 'archive']),
	id: z.string(),
	archive: FeatureId,
	feature: z.string(),
	project: z.string(),
	bytes: z.int().nonnegative(),
	why: z.enum(['age', 'size']),
});
export type RetentionItem = z.infer<typeof RetentionItem>;

export const KeptBecause = z.enum([
	'labelled',
	'unfinished',
	'open-feature',
	'different',
	'damaged',
	'hub',
	'hub-policy',
]);
export type KeptBecause = z.infer<typeof KeptBecause>;

export const RetentionKept = RetentionItem.pick({ what: true, id: true, archive: true, feature: true }).extend({
	because: KeptBecause,
});
export type RetentionKept = z.infer<typeof RetentionKept>;

/** Everything is compared byte for byte before it goes. */
export const RetentionPlan = z.object({
	/** Of the home; projects may have their own. Absent numbers remove nothing. */
	policy: z.object({
		sessionDays: Days.optional(),
		archiveDays: Days.optional(),
		archiveMegabytes: Days.optional(),
		keepLabelled: z.boolean(),
		automatic: z.boolean(),
	}),
	problems: z.array(z.string()),
	remove: z.array(RetentionItem),
	bytes: z.int().nonnegative(),
	kept: z.array(RetentionKept),
});
export type RetentionPlan = z.infer<typeof RetentionPlan>;

export const SessionArchives = z.object({
	archives: z.array(z.object({ id: FeatureId, feature: z.string() })),
	/** ISO; null if the retention did not remove the session's own files. */
	removedAt: z.string().nullable(),
});
export type SessionArchives = z.infer<typeof SessionArchives>;
