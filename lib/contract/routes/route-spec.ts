import type * as z from 'zod';
import type { Role } from '../access/access.ts';
import type { ErrorCode } from '../errors.ts';

export type Access = 'open' | readonly Role[];

export type RouteName = `${'GET' | 'POST'} /${string}`;

/** What the gate, the router, `/api/openapi.json` and the browser's client know of one route. */
export interface RouteSpec {
	access: Access;
	at?: 'hub';
	/** It lets something through or somebody in: once there is a passkey, it needs one. `itself`: it asks for that by itself. */
	decides?: true | 'itself';
	summary: string;
	params?: z.ZodType;
	missing?: ErrorCode;
	query?: z.ZodType;
	body?: z.ZodType;
	answer?: z.ZodType;
	text?: true;
}

export const READERS = ['viewer', 'operator'] as const satisfies readonly Role[];
export const OPERATOR = ['operator'] as const satisfies readonly Role[];
