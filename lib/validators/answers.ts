import * as z from 'zod';
import { printable } from '../text/printable.ts';

/** Fields are required, nullable and without bounds: strict structured output accepts nothing else. Long texts are cut here. */

const MAX_ITEMS = 20;

const line = z.string().transform((text) => printable(text, 500));
const paragraph = z.string().transform((text) => printable(text, 2000));
const lines = z.array(line).transform((items) => items.filter((item) => item !== '').slice(0, MAX_ITEMS));

/** Providers receive a schema in which the field is required. */
const orNull = <Shape extends z.ZodType>(shape: Shape) => z.preprocess((value) => value ?? null, shape);
const orNone = <Shape extends z.ZodType>(shape: Shape) => z.preprocess((value) => value ?? [], shape);

const count = orNull(
	z
		.number()
		.nullable()
		.transform((value) => (value !== null && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined)),
);
const maybeLine = orNull(line.nullable().transform((text) => (text === null || text === '' ? undefined : text)));
const maybeLines = orNone(lines);

export const ComplexityAssessment = z.strictObject({
	rating: z.enum(['simple', 'moderate', 'complex']),
	evidence: z.strictObject({
		filesCount: count,
		functionsEstimate: count,
		linesEstimate: count,
		integrationPoints: maybeLines,
		hasMultipleSteps: z.boolean(),
		requiresCoordination: z.boolean(),
	}),
	reasoning: paragraph,
});
export type ComplexityAssessment = z.infer<typeof ComplexityAssessment>;

export const BreakdownDecision = z.strictObject({
	required: z.boolean(),
	reasoning: paragraph,
	suggestedSubtasks: lines,
	integrationConsiderations: lines,
});
export type BreakdownDecision = z.infer<typeof BreakdownDecision>;

const NextTaskAnalysis = z.strictObject({
	nextTaskId: maybeLine,
	nextTaskDescription: maybeLine,
	needsBreakdown: z.boolean(),
	breakdownReason: maybeLine,
	hasIntegrationDependencies: z.boolean(),
	integrationFiles: maybeLines,
	reviewTasks: orNone(
		z
			.array(z.strictObject({ taskId: line, description: line, reason: line }))
			.transform((items) => items.slice(0, MAX_ITEMS)),
	),
});
export type NextTaskAnalysis = z.infer<typeof NextTaskAnalysis>;

export const WorkflowAnalysis = z.strictObject({
	nextTask: orNull(NextTaskAnalysis.nullable().transform((next) => next ?? undefined)),
	workflowContinuity: z.strictObject({ hasLogicalNext: z.boolean(), reason: paragraph }),
});
export type WorkflowAnalysis = z.infer<typeof WorkflowAnalysis>;
