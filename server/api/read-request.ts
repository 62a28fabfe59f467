import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

function conform<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const first = parsed.error.issues[0];
	throw new AppError('request/invalid', `${first?.path.join('.') || 'request'}: ${first?.message}`);
}

/** The JSON body. Throws `request/wrong-type` unless it says that it is JSON, `request/invalid` when it does not fit. */
export async function readBody<T extends z.ZodType>(context: Context, schema: T): Promise<z.infer<T>> {
	if (!JSON_TYPE.test(context.req.header('content-type') ?? '')) throw new AppError('request/wrong-type');
	return conform(schema, parseStrictJson(await context.req.text()));
}

/** The query. Throws `request/invalid`, naming the first field that does not fit. */
export function readQuery<T extends z.ZodType>(context: Context, schema: T): z.infer<T> {
	return conform(schema, context.req.query());
}
