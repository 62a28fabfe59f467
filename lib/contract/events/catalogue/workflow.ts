import * as z from 'zod';

const stages = z.array(z.string());
const workflowType = z.string();

/** workflow:*, stage:*, parallel:*, loop:*, handoff:*, grader:*, specs:*, error:* of seed 001. */
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
	/** A person lets the agent rest; the state is kept. Ours, not the seed's, as its end is. */
	'workflow:pause': { workflowType: workflowType.optional() },
	'workflow:resume': { workflowType: workflowType.optional() },
	/** Somebody else changed a state file; it counts with this content. Ours, not the seed's. */
	'workflow:adopt': { file: z.enum(['workflow.json', 'loop.json']), state: z.record(z.string(), z.unknown()) },
	'stage:start': { stage: z.string(), mode: z.string().optional() },
	/** `source`: where the verdict was read: comment, line, words, or none where nobody spoke one. */
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
	/** `progress`: stages, done/total; `tasks`: boxes of the feature, alike. Without `tasks` an older version counted both as one. */
	'loop:advance': { iteration: z.number(), progress: z.string().optional(), tasks: z.string().optional() },
	'loop:complete': { iteration: z.number().optional(), reason: z.string().optional() },
	'handoff:create': { from: z.string().optional(), to: z.string().optional(), path: z.string().optional() },
	'grader:score': { stage: z.string(), agent: z.string(), scores: z.record(z.string(), z.number()) },
	'specs:init': { featureName: z.string(), featurePath: z.string().optional(), workflowType: workflowType.optional() },
	/** Ours, not the seed's. */
	'specs:pause': { featureName: z.string(), featurePath: z.string().optional() },
	'specs:resume': { featureName: z.string(), featurePath: z.string().optional() },
	'specs:archive': { featureName: z.string(), archivePath: z.string().optional() },
	'error:fatal': { reason: z.string(), failCount: z.number().optional(), rejectCount: z.number().optional() },
} as const;
