import * as z from 'zod';
import type { Role } from '#lib/contract/http.ts';

/** Who may use a route. `open` needs no credentials; roles never stand in for each other. */
export type Access = 'open' | readonly Role[];

/** One route: who may use it, and what `/api/openapi.json` says of it. */
export interface RouteSpec {
	method: 'GET' | 'POST';
	/** With `:name` for a part of the path. */
	path: string;
	access: Access;
	/** It can let something through, let somebody in or tell somebody more: once there is a passkey, it needs one. */
	decides?: true;
	summary: string;
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The JSON of a 200. */
	answer?: z.ZodType;
}

export const READERS = ['viewer', 'operator'] as const satisfies readonly Role[];
export const OPERATOR = ['operator'] as const satisfies readonly Role[];

/** Objects whose fields are described elsewhere. */
export const Listed = z.looseObject({});
/** An event or row: at least its number. */
export const WithSeq = z.looseObject({ seq: z.int() });
