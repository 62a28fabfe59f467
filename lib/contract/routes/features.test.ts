import { expect, test } from 'vitest';
import { canHub, features, hubLacks, hubPages } from './features.ts';
import { hubRoutes } from './hub-rights.ts';
import { routeSpecs } from './route-table.ts';

/** Each replica answers these before its pages do. */
const OF_REPLICAS = ['GET /health', 'GET /metrics'];

test('every route that a hub does not have belongs to a feature that it lacks', () => {
	const lacking = hubLacks.flatMap(({ routes }) => routes);
	const missing = Object.keys(routeSpecs).filter((route) => !hubRoutes.has(route));
	expect([...lacking, ...OF_REPLICAS].sort()).toEqual(missing.sort());
});

test('no route belongs to two features, and no feature is half there', () => {
	const routes: string[] = Object.values(features).flatMap(({ routes }) => [...routes]);
	expect(new Set(routes).size).toBe(routes.length);
	for (const { routes } of hubLacks) expect(routes.filter((route) => hubRoutes.has(route))).toEqual([]);
});

test('a hub can search and allow the next try; health belongs to each machine', () => {
	expect([canHub('search'), canHub('grants'), canHub('health')]).toEqual([true, true, false]);
	expect(hubPages).toEqual(['/search']);
});
