import * as z from 'zod';
import type { Worded } from '../messages/sentence.ts';

/** What `inWords` adds to a record with these fields. */
export const Sentences = <Field extends string>() =>
	z.custom<NonNullable<Worded<Field>['sentences']>>().meta({ type: 'object' }).optional();
