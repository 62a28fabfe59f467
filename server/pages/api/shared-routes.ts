import * as z from 'zod';
import { errors } from '#lib/contract/errors.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import type { Route } from '#lib/contract/routes/route-table.ts';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import { type ApprovalRouteOptions, createApprovalRoutes } from './approval-routes.ts';
import { type Awaitable, type DefinedRoute, defineRoute } from './define-route.ts';
import { createFeatureRoutes } from './feature-routes.ts';
import { createLedgerRoutes, type LedgerRouteOptions } from './ledger-routes.ts';
import { createLoginRoutes, type LoginRouteOptions } from './login-routes.ts';
import {
	createSearchRoutes,
	createSessionRoutes,
	type SearchRouteOptions,
	type SessionRouteOptions,
} from './session-routes.ts';

export type SharedRouteOptions = LoginRouteOptions &
	SessionRouteOptions &
	SearchRouteOptions &
	ApprovalRouteOptions &
	Parameters<typeof createFeatureRoutes>[0] & {
		ledger: LedgerRouteOptions;
		places: () => Awaitable<SourceOptions>;
		described: readonly Route[];
	};

/** The routes that a machine and a hub serve alike, each over its own store. */
export function createSharedRoutes(options: SharedRouteOptions): DefinedRoute[] {
	return [
		defineRoute('GET /api/openapi.json', ({ context }) => context.json(describeApi(options.described))),
		defineRoute('GET /api/places', options.places),
		...createLoginRoutes(options),
		...createSessionRoutes(options),
		...createSearchRoutes(options),
		...createApprovalRoutes(options),
		...createLedgerRoutes(options.ledger),
		...createFeatureRoutes(options),
	];
}

type Json = Record<string, unknown>;

function describeApi(routes: readonly Route[]): Json {
	const paths: Record<string, Json> = {};
	for (const route of routes) {
		const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
	}
	const error = {
		type: 'object',
		properties: { code: { enum: Object.keys(errors) }, message: { type: 'string' } },
		required: ['code', 'message'],
	};
	const session = {
		type: 'apiKey',
		in: 'cookie',
		name: 'signalbox-<port>',
		description: 'Counts only with the x-signalbox-session header, on the host of the login link.',
	};
	return {
		openapi: '3.1.0',
		info: { title: 'Signalbox', version: '1' },
		paths,
		components: {
			securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, session },
			schemas: { Refusal: { type: 'object', properties: { error }, required: ['error'] } },
		},
	};
}

function operationOf({ summary, access, params, query, body, answer, text }: RouteSpec): Json {
	const content = text
		? { 'text/plain': { schema: { type: 'string' } } }
		: answer && jsonOf(schemaOf(answer, 'output'));
	return {
		summary,
		security: access === 'open' ? [] : [{ bearer: [] }, { session: [] }],
		'x-roles': access === 'open' ? [] : access,
		parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
		...(body ? { requestBody: { required: true, content: jsonOf(schemaOf(body, 'input')) } } : {}),
		responses: {
			200: { description: 'Done', ...(content && { content }) },
			default: { description: 'Refused', content: jsonOf({ $ref: '#/components/schemas/Refusal' }) },
		},
	};
}

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
	return rest;
}

function parametersOf(schema: z.ZodType | undefined, location: 'path' | 'query'): Json[] {
	if (!schema) return [];
	const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return Object.entries(properties).map(([name, property]) => ({
		name,
		in: location,
		schema: property,
		required: location === 'path' || required.includes(name),
	}));
}
