import * as z from 'zod';
import { approvalEvents } from '../events/catalogue/approval.ts';
import { Timestamp } from '../ids.ts';
import { workflowKeys } from './read-model/workflow-state.ts';

export const WorkflowKey = z.enum(workflowKeys);

/** `resume` also continues a workflow that came to a limit. `stop-loop` lets the agent end its turn; `stop` ends the workflow. */
export const WorkflowActionBody = z.discriminatedUnion('action', [
	z.strictObject({ action: z.literal('start'), type: WorkflowKey, feature: z.string().max(100).optional() }),
	z.strictObject({ action: z.enum(['pause', 'resume', 'stop', 'stop-loop']) }),
]);
export type WorkflowActionBody = z.infer<typeof WorkflowActionBody>;

export const WorkflowOutcome = z.object({
	type: z.string(),
	how: z.enum(['started', 'attached', 'paused', 'resumed', 'stopped', 'loop-stopped']),
	feature: z.string().optional(),
});
export type WorkflowOutcome = z.infer<typeof WorkflowOutcome>;

export const SupervisorActionBody = z.strictObject({ action: z.enum(['on', 'off', 'reset']) });
export type SupervisorActionBody = z.infer<typeof SupervisorActionBody>;

export const SupervisorRecord = z.object({
	/** The supervisor's id, or the session's. */
	id: z.string(),
	enabled: z.boolean(),
	count: z.int(),
	max: z.int(),
	timeoutSeconds: z.int(),
	/** What to do if it is on and no hook asks it. */
	advice: z.string().optional(),
});
export type SupervisorRecord = z.infer<typeof SupervisorRecord>;

export const SubtasksBody = z.strictObject({ assessmentId: z.string().min(1).max(200) });

export const CreatedSubtasks = z.object({ feature: z.string(), added: z.array(z.string()) });
export type CreatedSubtasks = z.infer<typeof CreatedSubtasks>;

const Label = z.string().trim().min(1).max(40);

/** About one row of the story, one stage, or one stretch of time. */
export const NoteBody = z
	.strictObject({
		row: z.string().min(1).max(300).optional(),
		rowAt: Timestamp.optional(),
		stage: z.string().min(1).max(100).optional(),
		from: Timestamp.optional(),
		to: Timestamp.optional(),
		text: z.string().trim().max(2000),
		labels: z.array(Label).max(10).default([]),
	})
	.refine(({ row, stage, from, to }) => [row, stage, from ?? to].filter((each) => each !== undefined).length === 1, {
		error: 'is about one row, one stage, or one stretch of time',
	})
	.refine(({ from, to }) => (from === undefined) === (to === undefined) && (from ?? '') <= (to ?? ''), {
		error: 'a stretch of time has a beginning and an end',
	})
	.refine(({ row, rowAt }) => row !== undefined || rowAt === undefined, { error: 'the time of a row needs the row' })
	.refine(({ text, labels }) => text !== '' || labels.length > 0, { error: 'has a text or a label' });
export type NoteBody = z.infer<typeof NoteBody>;

export const Note = z.object({ id: z.string(), at: Timestamp, ...approvalEvents['note:add'] });
export type Note = z.infer<typeof Note>;
