import type * as z from 'zod';
import { sessionPath } from '../../ids/session-path.ts';
import type { Role } from '../access/access.ts';
import type { ErrorCode } from '../errors.ts';

export type Access = 'open' | readonly Role[];

export type RouteName = `${'GET' | 'POST'} /${string}`;

/** What the gate, the router, `/api/openapi.json` and the browser's client know of one route. */
export interface RouteSpec {
	access: Access;
	at?: 'hub';
	/** The route lets something run or somebody in: it needs a passkey once there is one. `itself`: its handler asks for that. */
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

/** Loads nothing, since pages name routes. */
export function splitRoute(name: string): ['GET' | 'POST', string] {
	const at = name.indexOf(' ');
	return [name.slice(0, at) === 'GET' ? 'GET' : 'POST', name.slice(at + 1)];
}

/** Ids are agent text: each is escaped as one part of the path, at a hub as two. */
export function routeUrl(key: RouteName, params: Readonly<Record<string, string>> = {}, query: object = {}): string {
	const path = splitRoute(key)[1].replaceAll(/:(\w+)/g, (_, name: string) => sessionPath(params[name] ?? ''));
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
	return given.length === 0 ? path : `${path}?${search}`;
}
