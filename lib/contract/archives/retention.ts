import * as z from 'zod';
import { FeatureId } from './features.ts';

const Days = z.number().nonnegative();

/** Something that the retention removes: what a session left in the home, or a whole archive. */
export const RetentionItem = z.object({
	what: z.enum(['session', 'archive']),
	/** The session's id, or the archive's. */
	id: z.string(),
	/** Which archive has the session, or the archive itself. */
	archive: FeatureId,
	feature: z.string(),
	/** The project's folder. */
	project: z.string(),
	/** Bytes on disk that it frees. */
	bytes: z.int().nonnegative(),
	/** What of the policy names it. */
	why: z.enum(['age', 'size']),
});
export type RetentionItem = z.infer<typeof RetentionItem>;

/** Why something stays although the policy names it. */
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

/** What stays although the policy names it. */
export const RetentionKept = RetentionItem.pick({ what: true, id: true, archive: true, feature: true }).extend({
	because: KeptBecause,
});
export type RetentionKept = z.infer<typeof RetentionKept>;

/** `GET /api/retention`: what the home's policy would remove now. It is compared byte for byte before it goes. */
export const RetentionPlan = z.object({
	/** Of the home; projects may have their own. Absent numbers remove nothing. */
	policy: z.object({
		sessionDays: Days.optional(),
		archiveDays: Days.optional(),
		archiveMegabytes: Days.optional(),
		keepLabelled: z.boolean(),
		/** Whether the server does it by itself. */
		automatic: z.boolean(),
	}),
	/** What is wrong in the configs: nothing goes by a policy that cannot be read. */
	problems: z.array(z.string()),
	remove: z.array(RetentionItem),
	/** Of all that would go. */
	bytes: z.int().nonnegative(),
	kept: z.array(RetentionKept),
});
export type RetentionPlan = z.infer<typeof RetentionPlan>;

/** `GET /api/sessions/:id/archives`: the archives of this home that keep a session. */
export const SessionArchives = z.object({
	archives: z.array(z.object({ id: FeatureId, feature: z.string() })),
	/** When the retention removed the session's own files, ISO; null where it did not. */
	removedAt: z.string().nullable(),
});
export type SessionArchives = z.infer<typeof SessionArchives>;
