import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { RequestProof } from '../access/auth.ts';
import { accessIdOf, type Principal, principalOf } from '../access/principal.ts';

export interface ApiEnv {
	Bindings: HttpBindings;
}

/** Who asks. Throws `auth/missing` on a route that the gate left open. */
export function demandPrincipal(context: Context<ApiEnv>): Principal {
	const principal = principalOf(context.env.incoming);
	if (!principal) throw new AppError('auth/missing');
	return principal;
}

/** Who decides, for the journal; the gate lets only operators come here. */
export function deciderOf(context: Context<ApiEnv>): Decider {
	const { via, sessionHash, name } = demandPrincipal(context);
	return { role: 'operator', via, access: accessIdOf(sessionHash), ...(name !== undefined && { name }) };
}

/** What a credential is checked against. With the port, since cookies ignore it. */
export function proofOf(context: Context<ApiEnv>): RequestProof {
	const { headers, socket } = context.env.incoming;
	return { headers, port: socket.localPort ?? 0 };
}
