import * as z from 'zod';
import { errors } from '#lib/contract/errors.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import type { Route } from '#lib/contract/routes/route-table.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
	return rest;
};

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } });

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
	if (!schema) return [];
	const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return Object.entries(properties).map(([name, property]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		schema: property,
	}));
}

function contentOf(answer: z.ZodType | undefined, text: true | undefined): Json {
	if (text) return { content: { 'text/plain': { schema: { type: 'string' } } } };
	return answer ? { content: jsonOf(schemaOf(answer, 'output')) } : {};
}

function operationOf({ summary, access, params, query, body, answer, text }: RouteSpec): Json {
	return {
		summary,
		security: access === 'open' ? [] : [{ bearer: [] }, { session: [] }],
		'x-roles': access === 'open' ? [] : access,
		parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
		...(body ? { requestBody: { required: true, content: jsonOf(schemaOf(body, 'input')) } } : {}),
		responses: {
			200: { description: 'Done', ...contentOf(answer, text) },
			default: { description: 'Refused', content: jsonOf({ $ref: '#/components/schemas/Refusal' }) },
		},
	};
}

/** The OpenAPI 3.1 description of these routes, made from the contract's schemas. */
export function describeApi(routes: readonly Route[]): Json {
	const paths: Record<string, Json> = {};
	for (const route of routes) {
		const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Signalbox', version: '1' },
		paths,
		components: {
			securitySchemes: {
				bearer: { type: 'http', scheme: 'bearer' },
				session: {
					type: 'apiKey',
					in: 'cookie',
					name: 'signalbox-<port>',
					description: 'Counts only with the x-signalbox-session header, on the host of the login link.',
				},
			},
			schemas: {
				Refusal: {
					type: 'object',
					properties: {
						error: {
							type: 'object',
							properties: { code: { enum: Object.keys(errors) }, message: { type: 'string' } },
							required: ['code', 'message'],
						},
					},
					required: ['error'],
				},
			},
		},
	};
}
