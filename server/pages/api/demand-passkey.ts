import type { MiddlewareHandler } from 'hono';
import type { Passkeys } from '../../access/passkeys.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { findRoute } from '../../http/admit.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import { parseStrictJson } from './strict-json.ts';

/**
 * Lets a request of a route that decides through only with a passkey's answer to exactly this request, as soon as there
 * is a passkey, whose name the sender then has. A denial needs none from a browser: it can let nothing through.
 */
export function demandPasskey(passkeys: Passkeys): MiddlewareHandler<ApiEnv> {
	return async (context, next) => {
		const { method, path } = context.req;
		if (findRoute(method, path)?.decides) {
			const principal = demandPrincipal(context);
			// A sign-in by a link stands on a passkey: that must still be there.
			const isNeeded = passkeys.list().length > 0 || principal.approval !== undefined;
			if (!isNeeded) return next();
			const body = parseStrictJson(await context.req.text());
			const isBrake = principal.via === 'browser' && isDenial(body);
			if (!isBrake)
				principal.name = await passkeys.prove(proofOf(context).headers[PASSKEY_HEADER], principal, { path, body });
		}
		await next();
	};
}

function isDenial(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'decision' in body && body.decision === 'deny';
}
