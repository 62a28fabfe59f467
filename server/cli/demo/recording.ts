import * as z from 'zod';

const StepPosition = {
	/** Milliseconds since the step before it. */
	wait: z.number().min(0),
	/** Played only if the call at the fork went this way. */
	when: z.enum(['denied', 'approved']).optional(),
};

/** A hook input as the client sent it, or a file as it was from then on. */
export const RecordedStep = z.union([
	z.object({ ...StepPosition, input: z.record(z.string(), z.unknown()), fork: z.literal(true).optional() }),
	z.object({ ...StepPosition, file: z.string(), text: z.string() }),
]);
export type RecordedStep = z.infer<typeof RecordedStep>;

/** The home of the person in the recording; every path in it begins so. */
const RECORDED_HOME = '/home/dev';

/** Reads a recording (one step a line) as if it had been made below `folder`. Throws for a line that does not fit. */
export function readRecording(text: string, folder: string): RecordedStep[] {
	const escaped = JSON.stringify(folder).slice(1, -1);
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => RecordedStep.parse(JSON.parse(line.replaceAll(RECORDED_HOME, escaped))));
}
