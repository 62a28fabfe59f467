import * as z from 'zod';
import { approvalEvents } from '../events/catalogue/approval.ts';
import { Timestamp } from '../ids.ts';

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
