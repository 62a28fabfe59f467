import * as z from 'zod';
import { workflowKeys } from './workflow-keys.ts';

/** The key of one of the 18 workflows. */
export const WorkflowKey = z.enum(workflowKeys);

/**
 * `POST /api/sessions/:id/workflow`. `resume` ends a pause, and lets a workflow that came to a limit go on with the
 * stages that passed. `stop-loop` lets the agent end its turn, and the workflow with it; `stop` ends the
 * workflow at once. Starting the same type again attaches the feature.
 */
export const WorkflowActionBody = z.discriminatedUnion('action', [
	z.strictObject({ action: z.literal('start'), type: WorkflowKey, feature: z.string().max(100).optional() }),
	z.strictObject({ action: z.enum(['pause', 'resume', 'stop', 'stop-loop']) }),
]);
export type WorkflowActionBody = z.infer<typeof WorkflowActionBody>;

/** What became of a workflow that was acted on. */
export const WorkflowOutcome = z.object({
	type: z.string(),
	how: z.enum(['started', 'attached', 'paused', 'resumed', 'stopped', 'loop-stopped']),
	feature: z.string().optional(),
});
export type WorkflowOutcome = z.infer<typeof WorkflowOutcome>;
