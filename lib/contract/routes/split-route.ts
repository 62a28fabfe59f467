/** The method and the path of a route by its name: `GET /api/me`. Loads nothing, since pages name routes, too. */
export function splitRoute(name: string): ['GET' | 'POST', string] {
	const at = name.indexOf(' ');
	return [name.slice(0, at) === 'GET' ? 'GET' : 'POST', name.slice(at + 1)];
}
