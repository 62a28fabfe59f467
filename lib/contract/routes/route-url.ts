import { sessionPath } from '../../ids/session-path.ts';
import type { RouteName } from './route-spec.ts';

/** Loads nothing, since pages name routes. */
export function splitRoute(name: string): ['GET' | 'POST', string] {
	const at = name.indexOf(' ');
	return [name.slice(0, at) === 'GET' ? 'GET' : 'POST', name.slice(at + 1)];
}

export function routeUrl(key: RouteName, params: Readonly<Record<string, string>> = {}, query: object = {}): string {
	const path = splitRoute(key)[1].replaceAll(/:(\w+)/g, (_, name: string) => sessionPath(params[name] ?? ''));
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
	return given.length === 0 ? path : `${path}?${search}`;
}
