import type * as z from 'zod';
import type { Role } from '../access/sign-in.ts';
import type { ErrorCode } from '../errors.ts';

/** Who may use a route. `open` needs no credentials; roles never stand in for each other. */
export type Access = 'open' | readonly Role[];

/** A route by its method and path, `:name` for a part of the path. */
export type RouteName = `${'GET' | 'POST'} /${string}`;

/** What the gate, the router, `/api/openapi.json` and the browser's client know of one route. */
export interface RouteSpec {
	access: Access;
	/** Only a hub has it: on a machine there is nothing of that name. */
	at?: 'hub';
	/** It can let something through, let somebody in or tell somebody more: once there is a passkey, it needs one. */
	decides?: true;
	summary: string;
	params?: z.ZodType;
	/** What is said of a path whose parts cannot be what `params` names: then nothing of that name exists. */
	missing?: ErrorCode;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The JSON of a 200. */
	answer?: z.ZodType;
	/** A 200 is plain text. */
	text?: true;
}

export const READERS = ['viewer', 'operator'] as const satisfies readonly Role[];
export const OPERATOR = ['operator'] as const satisfies readonly Role[];
