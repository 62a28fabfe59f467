import * as z from 'zod';

/** An object of the read model, whose fields are described elsewhere. */
export const Listed = <T>() => z.custom<T>().meta({ type: 'object' });

/** The same with a place of its own in a session: at least its `seq`. */
export const Numbered = <T extends { seq: number }>() =>
	z.custom<T>().meta({ type: 'object', properties: { seq: { type: 'integer' } }, required: ['seq'] });
