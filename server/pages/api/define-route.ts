import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { splitRoute } from '#lib/contract/routes/route-spec.ts';
import { type AnswerOf, type AskedOf, type RouteKey, routeSpecs } from '#lib/contract/routes/route-table.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { principalOf } from '../../access/principal.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toAppError } from '../../http/refuse.ts';
import type { Log } from '../../process/log.ts';
import type { OpenName } from '../../process/program-name.ts';

export type Awaitable<T> = T | Promise<T>;

export interface DefinedRoute {
	key: RouteKey;
	serve(context: Context<ApiEnv>): Promise<Response>;
}

type RouteRequest<Key extends RouteKey> = AskedOf<Key> & { context: Context<ApiEnv> };
/** A route without a schema for its answer returns a response itself. */
type Served<Key extends RouteKey> = AnswerOf<Key> extends object ? AnswerOf<Key> : Response;

/**
 * Serves one route: `handle` gets path, query and body as its spec allows. Others are refused: `request/invalid`,
 * `request/wrong-type`, or the spec's `missing` for a path to nothing.
 */
export function defineRoute<Key extends RouteKey>(
	key: Key,
	handle: (request: RouteRequest<Key>) => Awaitable<Served<Key>>,
): DefinedRoute {
	const { params, missing = 'route/not-found', query, body }: RouteSpec = routeSpecs[key];
	return {
		key,
		async serve(context) {
			const parts = params?.safeParse(context.req.param());
			if (parts && !parts.success) throw new AppError(missing);
			const request = {
				context,
				...(parts && { params: parts.data }),
				...(query && { query: conform(query, context.req.query()) }),
				...(body && { body: await readBody(context, body) }),
			};
			// Its type is inferred from the schemas that have checked it.
			const answer: object = await handle(request as RouteRequest<Key>);
			return answer instanceof Response ? answer : context.json(answer);
		},
	};
}

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

async function readBody(context: Context, schema: z.ZodType): Promise<unknown> {
	if (!JSON_TYPE.test(context.req.header('content-type') ?? '')) throw new AppError('request/wrong-type');
	return conform(schema, parseStrictJson(await context.req.text()));
}

function conform(schema: z.ZodType, value: unknown): unknown {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const first = parsed.error.issues[0];
	throw new AppError('request/invalid', `${first?.path.join('.') || 'request'}: ${first?.message}`);
}

/** Answers with text of an agent; browsers must treat it as plain text. */
export function plainText(context: Context, bytes: Buffer): Response {
	return context.body(new Uint8Array(bytes), 200, { 'content-type': 'text/plain; charset=utf-8' });
}

interface ServeOptions {
	before?: readonly MiddlewareHandler<ApiEnv>[];
	pathOf?: (path: string) => string;
	program: string;
	openly: OpenName;
	log: Log;
}

/** The app that serves these routes, behind the gate; the error table answers what a route throws. */
export function serveRoutes(
	routes: readonly DefinedRoute[],
	{ before = [], pathOf = (path) => path, program, openly, log }: ServeOptions,
): Hono<ApiEnv> {
	const app = new Hono<ApiEnv>();
	app.onError((thrown, context) => {
		const error = toAppError(thrown, (unknown) => log.error('A route failed', unknown, { path: context.req.path }));
		const body = error.toBody();
		const message = withProgramName(body.error.message, principalOf(context.env.incoming) ? program : openly.name);
		return context.json({ error: { ...body.error, message } }, error.status as ContentfulStatusCode);
	});
	app.notFound((context) => context.json(new AppError('route/not-found').toBody(), 404));
	app.use(async (context, next) => {
		await next();
		context.header('cache-control', 'no-store');
	});
	for (const handler of before) app.use(handler);
	for (const { key, serve } of routes) {
		const [method, path] = splitRoute(key);
		app.on(method, pathOf(path), serve);
	}
	return app;
}

const MAX_DEPTH = 64;
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** A string may run to the end of the body unclosed: matched once, so that no body makes the scan quadratic. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|[{}[\]:]/gs;

const invalid = (detail: string) => new AppError('request/invalid', detail);

/**
 * Parses JSON that decides something. Also refuses what two parsers could read differently: over 64 levels, double keys,
 * `__proto__` and its kin, NUL, lone surrogates. Throws `request/invalid`.
 */
export function parseStrictJson(body: string): unknown {
	try {
		scan(body);
		return JSON.parse(body);
	} catch (error) {
		throw error instanceof AppError ? error : invalid('The body is not JSON.');
	}
}

function scan(body: string): void {
	/** One entry for each level: the keys of an object, null for an array. */
	const levels: (Set<string> | null)[] = [];
	let lastText = '';
	for (const [token] of body.matchAll(TOKEN)) {
		if (token === '{') levels.push(new Set());
		else if (token === '[') levels.push(null);
		else if (token === ':') claimKey(levels.at(-1), lastText);
		else if (token.startsWith('"')) lastText = readText(token);
		else levels.pop();
		if (levels.length > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels.`);
	}
}

function readText(token: string): string {
	const text: unknown = JSON.parse(token);
	if (typeof text !== 'string') throw invalid('The body is not JSON.');
	if (/[\0\p{Surrogate}]/u.test(text)) throw invalid('The body holds a NUL or half a character.');
	return text;
}

function claimKey(keys: Set<string> | null | undefined, key: string): void {
	if (REFUSED_KEYS.has(key)) throw invalid(`The key ${JSON.stringify(key)} is refused.`);
	if (keys?.has(key)) throw invalid(`The key ${JSON.stringify(key)} comes twice.`);
	keys?.add(key);
}
