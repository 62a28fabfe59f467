import type { ErrorCode } from '#lib/contract/errors.ts';
import type { Access, RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { PAGE_ACCESS, routeTable } from '#lib/contract/routes/route-table.ts';
import type { Principal } from '../access/principal.ts';

/** Where an admitted request goes. */
export type Target = 'api' | 'pages' | 'nowhere' | 'wrong-method';

/** On a hub a session or feature has its machine's number before it. */
const OF_HUB = /(?<=^\^\/api\/features\/|\/sessions\/)(?=\[)/g;

const matchers = routeTable.map((route) => ({
	...route,
	// A part is plain: no escape that the gate and the router could decode differently.
	pattern: new RegExp(
		`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[\\w.:~-]+')}$`.replaceAll(OF_HUB, '(?:\\d+/)?'),
	),
}));

/** Paths that never become a page, even where no route of the table fits; the last two are doors of Next that stay shut. */
const NEVER_PAGES = /^\/(?:login|logout|link|health|metrics|api|socket\.io|_next\/image|_next\/mcp)(?:\/|$)/;

/** The route of the table that serves a request. */
export function findRoute(method: string, path: string): RouteSpec | undefined {
	return matchers.find((route) => route.method === method && route.pattern.test(path));
}

/** Which part serves a path, and who may ask. Everything that is not named needs credentials. */
export function findTarget(method: string, path: string, dev: boolean): { target: Target; access: Access } {
	const asked = method === 'HEAD' ? 'GET' : method;
	const route = findRoute(asked, path);
	if (route) return { target: 'api', access: route.access };
	if (matchers.some(({ pattern }) => pattern.test(path))) return { target: 'wrong-method', access: PAGE_ACCESS };
	if (NEVER_PAGES.test(path)) return { target: 'nowhere', access: PAGE_ACCESS };
	// The error overlay of `next dev` posts to these to show source lines.
	const isPage = asked === 'GET' || (dev && path.startsWith('/__nextjs_'));
	return { target: isPage ? 'pages' : 'wrong-method', access: PAGE_ACCESS };
}

/** What the sign-in of a link may beyond its role: decide its one call, and ask its passkey for that. */
function isItsOne(path: string, { approval }: Principal): boolean {
	return approval !== undefined && (path === `/api/approvals/${approval}` || path === '/api/passkeys/challenge');
}

/** Whether a sender may come in. Null lets it pass. */
export function judgeAccess(access: Access, principal: Principal | null, path: string): ErrorCode | null {
	if (access === 'open') return null;
	if (!principal) return 'auth/missing';
	if (isItsOne(path, principal)) return null;
	return access.includes(principal.role) ? null : 'auth/forbidden';
}
