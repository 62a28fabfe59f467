import type { MiddlewareHandler } from 'hono';
import type { Passkeys } from '../../access/passkeys.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import { findRoute } from '../../http/front-gate.ts';
import { parseStrictJson } from './define-route.ts';

/** Once there is a passkey, a decision requires its answer to exactly this request; a browser's denial does not. */
export function demandPasskey(passkeys: Passkeys): MiddlewareHandler<ApiEnv> {
	return async (context, next) => {
		const { method, path } = context.req;
		if (findRoute(method, path)?.decides) {
			const principal = demandPrincipal(context);
			// A sign-in by a link depends on a passkey, which must still exist.
			const isNeeded = passkeys.list().length > 0 || principal.approval !== undefined;
			if (!isNeeded) return next();
			const body = parseStrictJson(await context.req.text());
			const isBrowserDenial = principal.via === 'browser' && isDenial(body);
			if (!isBrowserDenial)
				principal.name = await passkeys.prove(proofOf(context).headers[PASSKEY_HEADER], principal, { path, body });
		}
		await next();
	};
}

function isDenial(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'decision' in body && body.decision === 'deny';
}
