import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { type AnswerOf, type AskedOf, type RouteKey, routeSpecs } from '#lib/contract/routes/route-table.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { parseStrictJson } from './strict-json.ts';

/** Now, or later. */
export type Awaitable<T> = T | Promise<T>;

/** One route of the table with what serves it. */
export interface DefinedRoute {
	key: RouteKey;
	serve(context: Context<ApiEnv>): Promise<Response>;
}

type Asked<Key extends RouteKey> = AskedOf<Key> & { context: Context<ApiEnv> };
/** A route whose answer has no form in the table makes its response itself. */
type Served<Key extends RouteKey> = AnswerOf<Key> extends object ? AnswerOf<Key> : Response;

/**
 * Serves the route of this name: `handle` gets what its spec describes of path, query and body, checked, and gives the
 * answer that it promises. A request that does not fit is refused before: `request/invalid`, `request/wrong-type`, or
 * for a path that names nothing the spec's `missing`.
 */
export function defineRoute<Key extends RouteKey>(
	key: Key,
	handle: (asked: Asked<Key>) => Awaitable<Served<Key>>,
): DefinedRoute {
	const { params, missing = 'route/not-found', query, body }: RouteSpec = routeSpecs[key];
	return {
		key,
		async serve(context) {
			const asked = {
				context,
				...(params && { params: readParts(context, params, missing) }),
				...(query && { query: readQuery(context, query) }),
				...(body && { body: await readBody(context, body) }),
			};
			// The schemas that have checked it are those that its type comes from.
			const answer: object = await handle(asked as Asked<Key>);
			return answer instanceof Response ? answer : context.json(answer);
		},
	};
}

function readParts(context: Context, schema: z.ZodType, missing: ErrorCode): unknown {
	const parts = schema.safeParse(context.req.param());
	if (!parts.success) throw new AppError(missing);
	return parts.data;
}

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

function conform(schema: z.ZodType, value: unknown): unknown {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const first = parsed.error.issues[0];
	throw new AppError('request/invalid', `${first?.path.join('.') || 'request'}: ${first?.message}`);
}

/** The JSON body. Throws `request/wrong-type` unless it says that it is JSON, `request/invalid` when it does not fit. */
async function readBody(context: Context, schema: z.ZodType): Promise<unknown> {
	if (!JSON_TYPE.test(context.req.header('content-type') ?? '')) throw new AppError('request/wrong-type');
	return conform(schema, parseStrictJson(await context.req.text()));
}

/** The query. Throws `request/invalid`, naming the first field that does not fit. */
function readQuery(context: Context, schema: z.ZodType): unknown {
	return conform(schema, context.req.query());
}
