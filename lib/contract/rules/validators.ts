import * as z from 'zod';

/** `POST /api/sessions/:id/subtasks`: the assessment whose suggestions become boxes, by its event's id. */
export const SubtasksBody = z.strictObject({ assessmentId: z.string().min(1).max(200) });

/** What was made of the suggestions; those that stood there already are not among `added`. */
export const CreatedSubtasks = z.object({ feature: z.string(), added: z.array(z.string()) });
export type CreatedSubtasks = z.infer<typeof CreatedSubtasks>;
