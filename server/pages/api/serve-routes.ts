import { Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError } from '#lib/contract/errors.ts';
import { splitRoute } from '#lib/contract/routes/route-url.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import { principalOf } from '../../access/principal.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toAppError } from '../../http/refuse.ts';
import type { Log } from '../../process/log.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { DefinedRoute } from './define-route.ts';

interface ServeOptions {
	/** What each request passes first. */
	before?: readonly MiddlewareHandler<ApiEnv>[];
	/** How a router finds a path of the table. */
	pathOf?: (path: string) => string;
	/** What runs our command, for who is signed in, and for everybody. */
	program: string;
	openly: OpenName;
	log: Log;
}

/** The app that serves these routes, behind the gate; what one throws is answered by the error table. */
export function serveRoutes(
	routes: readonly DefinedRoute[],
	{ before = [], pathOf = (path) => path, program, openly, log }: ServeOptions,
): Hono<ApiEnv> {
	const app = new Hono<ApiEnv>();
	app.onError((thrown, context) => {
		const error = toAppError(thrown, (unknown) => log.error('A route failed', unknown, { path: context.req.path }));
		const body = error.toBody();
		const message = asTyped(body.error.message, principalOf(context.env.incoming) ? program : openly.name);
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
