import * as z from 'zod';

const stages = z.array(z.string());
const workflowType = z.string();

/** Types of the workflow engine; those marked as ours it does not know. */
export const workflowEvents = {
	'workflow:start': { workflowType, stages: stages.optional(), featureName: z.string().optional() },
	'workflow:complete': { workflowType: workflowType.optional(), duration: z.string().optional() },
	'workflow:abort': {
		workflowType: workflowType.optional(),
		failCount: z.number().optional(),
		rejectCount: z.number().optional(),
		duration: z.string().optional(),
		reason: z.string().optional(),
	},
	'workflow:pause': { workflowType: workflowType.optional() },
	'workflow:resume': { workflowType: workflowType.optional() },
	/** Ours: another program changed a state file, and its content was accepted. */
	'workflow:adopt': { file: z.enum(['workflow.json', 'loop.json']), state: z.record(z.string(), z.unknown()) },
	'stage:start': { stage: z.string(), mode: z.string().optional() },
	/** `source`: where the verdict was read: comment, line, words or none. */
	'stage:complete': { stage: z.string(), result: z.string().optional(), source: z.string().optional() },
	'stage:retry': {
		stage: z.string(),
		failCount: z.number().optional(),
		rejectCount: z.number().optional(),
		retroCount: z.number().optional(),
		reason: z.string().optional(),
	},
	'parallel:start': { group: z.string().optional(), stages: stages.optional() },
	'parallel:converge': { group: z.string() },
	'loop:start': { workflowType: workflowType.optional() },
	/** `done/total` of stages, and of the feature's boxes. Older versions counted both in `progress`. */
	'loop:advance': { iteration: z.number(), progress: z.string().optional(), tasks: z.string().optional() },
	'loop:complete': { iteration: z.number().optional(), reason: z.string().optional() },
	'handoff:create': { from: z.string().optional(), to: z.string().optional(), path: z.string().optional() },
	'grader:score': { stage: z.string(), agent: z.string(), scores: z.record(z.string(), z.number()) },
	'specs:init': { featureName: z.string(), featurePath: z.string().optional(), workflowType: workflowType.optional() },
	'specs:pause': { featureName: z.string(), featurePath: z.string().optional() },
	'specs:resume': { featureName: z.string(), featurePath: z.string().optional() },
	'specs:archive': { featureName: z.string(), archivePath: z.string().optional() },
	'error:fatal': { reason: z.string(), failCount: z.number().optional(), rejectCount: z.number().optional() },
} as const;
