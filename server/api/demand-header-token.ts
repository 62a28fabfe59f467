import type { MiddlewareHandler } from 'hono';
import type { Auth } from '../auth/auth.ts';
import { findRoute } from '../http/admit.ts';
import { type ApiEnv, demandPrincipal, proofOf } from './api-env.ts';
import { isForOperators } from './route-spec.ts';

/** A cookie alone changes nothing: what only an operator may do needs the header token of the session beside it. */
export function demandHeaderToken(auth: Pick<Auth, 'demandHeaderToken'>): MiddlewareHandler<ApiEnv> {
	return async (context, next) => {
		const { method, path } = context.req;
		const route = findRoute(method, path);
		if (route?.method === 'POST' && isForOperators(route)) {
			auth.demandHeaderToken(proofOf(context), demandPrincipal(context));
		}
		await next();
	};
}
