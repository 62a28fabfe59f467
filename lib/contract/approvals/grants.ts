import * as z from 'zod';
import { Decider, GrantCover, GrantScope } from '../events/catalogue/approval.ts';
import { ApprovalId, EventId, GrantId, SessionName, Timestamp } from '../ids.ts';

export const GrantState = z.enum(['active', 'used', 'revoked', 'expired']);
export type GrantState = z.infer<typeof GrantState>;

export const GrantRecord = z.object({
	id: GrantId,
	state: GrantState,
	scope: GrantScope,
	sessionId: SessionName,
	toolUseId: z.string().optional(),
	approvalId: ApprovalId.optional(),
	tool: z.string(),
	title: z.string(),
	covers: z.array(GrantCover),
	reason: z.string(),
	by: Decider,
	/** Since when its maker may no longer sign in. The grant remains valid. */
	makerEndedAt: Timestamp.optional(),
	createdAt: Timestamp,
	expires: Timestamp,
	uses: z.int(),
	lastUse: z.object({ at: Timestamp, sessionId: SessionName, toolUseId: z.string().optional() }).optional(),
	endedAt: Timestamp.optional(),
	endReason: z.string().optional(),
	machine: z.object({ name: z.string(), team: z.string() }).optional(),
});
export type GrantRecord = z.infer<typeof GrantRecord>;

/** The denied call: by its approval, or by its row in the story. */
const deniedCall = {
	approvalId: ApprovalId.optional(),
	sessionId: SessionName.optional(),
	toolUseId: z.string().max(256).optional(),
	eventId: EventId.optional(),
};
const SOURCE = 'name approvalId, or sessionId with toolUseId or eventId';
type Source = z.infer<z.ZodObject<typeof deniedCall>>;
const namesOne = ({ approvalId, sessionId, toolUseId, eventId }: Source) =>
	approvalId === undefined
		? sessionId !== undefined && (toolUseId ?? eventId) !== undefined
		: (sessionId ?? toolUseId ?? eventId) === undefined;
export type GrantSource = Source;

export const MAX_GRANT_SECONDS = 30 * 24 * 3600;

const expiresInSeconds = z.int().min(60).max(MAX_GRANT_SECONDS).optional();

export const Remembered = z.strictObject({ scope: GrantScope, expiresInSeconds });
export type Remembered = z.infer<typeof Remembered>;

/** Without `expiresInSeconds`: an hour for `once`, 8 hours for `session`, a day for `project`. */
export const GrantBody = z
	.strictObject({
		...deniedCall,
		scope: GrantScope,
		expiresInSeconds,
		reason: z.string().trim().min(1, 'a reason is needed').max(2000),
	})
	.refine(namesOne, SOURCE);
export type GrantBody = z.infer<typeof GrantBody>;

export const PreviewQuery = z.object({ ...deniedCall, scope: GrantScope.default('once') }).refine(namesOne, SOURCE);

export const GrantPreview = z.object({
	words: z.array(z.string()),
	calls: z.array(
		z.object({
			sessionId: SessionName,
			project: z.string().optional(),
			toolUseId: z.string().optional(),
			at: Timestamp,
			title: z.string(),
			reason: z.string(),
		}),
	),
	count: z.int(),
	/** Only the newest 5,000 denials were read. */
	more: z.boolean(),
});
export type GrantPreview = z.infer<typeof GrantPreview>;

export const GrantsQuery = z.object({
	state: GrantState.optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(100),
});

export const RevokeBody = z.strictObject({
	reason: z.string().trim().max(2000).optional(),
	/** At a hub: the grant's own session tells which machine, since another may report the same id. */
	sessionId: SessionName.optional(),
});
export type RevokeBody = z.infer<typeof RevokeBody>;

export const GrantParam = z.object({ id: GrantId });
