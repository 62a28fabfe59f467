/** The half of a sign-in that is not its cookie, which goes to every port of its host. It stays in the origin's own storage. */

/** Sent with every request except that for a page. */
export const SESSION_HEADER = 'x-signalbox-session';

export const SESSION_KEY = 'signalbox-session';

const PROTOCOL = 'signalbox';

/** The protocols of a websocket are the only header that a page's script can set; the server accepts the first. */
export function sessionProtocols(token: string): string[] {
	return [PROTOCOL, `${PROTOCOL}.${token}`];
}

/** Undefined if the `Sec-WebSocket-Protocol` header contains none. */
export function tokenInProtocols(list: string | undefined): string | undefined {
	return /(?:^|,) *signalbox\.([\w-]{43}) *(?:,|$)/.exec(list ?? '')?.[1];
}
