/**
 * The second half of a browser's sign-in, beside its cookie: a random token that the sign-in's answer gives once. It is kept
 * in the origin's own storage, since a cookie goes to every port of its host.
 */

/** Carries it with every request but that for a page. */
export const SESSION_HEADER = 'x-signalbox-session';

/** Where the origin's local storage has it. */
export const SESSION_KEY = 'signalbox-session';

const PROTOCOL = 'signalbox';

/** What a websocket asks for: of its request's headers a page's script can set this list alone. The server takes the first. */
export function sessionProtocols(token: string): string[] {
	return [PROTOCOL, `${PROTOCOL}.${token}`];
}

/** The token in such a list, as `sec-websocket-protocol` has it. */
export function tokenInProtocols(list: string | undefined): string | undefined {
	return /(?:^|,) *signalbox\.([\w-]{43}) *(?:,|$)/.exec(list ?? '')?.[1];
}
