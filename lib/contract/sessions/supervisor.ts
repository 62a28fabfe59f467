import * as z from 'zod';

/** `POST /api/sessions/:id/supervisor`. `reset` counts the reviews from 0 again. */
export const SupervisorActionBody = z.strictObject({ action: z.enum(['on', 'off', 'reset']) });
export type SupervisorActionBody = z.infer<typeof SupervisorActionBody>;

/** How a session's supervisor stands. */
export const SupervisorRecord = z.object({
	/** Names its state file: the supervisor's id, or the session's. */
	id: z.string(),
	enabled: z.boolean(),
	/** Reviews so far. */
	count: z.int(),
	max: z.int(),
	timeoutSeconds: z.int(),
	/** What to do where it is on and no hook would ask it; absent where they stand, or where that is not known. */
	advice: z.string().optional(),
});
export type SupervisorRecord = z.infer<typeof SupervisorRecord>;
