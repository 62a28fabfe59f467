import { Joined, type RootDocument } from '#lib/contract/hub-wire.ts';
import { callService } from '../outgoing/call-service.ts';
import { ServiceFailure } from '../outgoing/service-failure.ts';
import { packageVersion } from '../package-root.ts';
import { makeKey, rootFingerprint } from './hello-proof.ts';
import { keepMembership, type Membership, whyNoLevel } from './membership.ts';

const TIMEOUT_MS = 20_000;

/** Joining did not work; the message says what to do. */
export class JoinRefused extends Error {}

/** A hub's address, read: https, or on this machine. Throws JoinRefused. */
export function hubAddress(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) return url;
	throw new JoinRefused(
		`A hub is reached by https (or by http on this machine alone), but the address is ${JSON.stringify(text)}.`,
	);
}

const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/**
 * Makes a home an edge of a hub, pending where that takes its machines in one by one. `code` is `CODE#ROOT`: what stands behind the `#` is the fingerprint of the hub's root
 * document, which the hub cannot choose anew. Throws JoinRefused.
 */
export async function joinHub(
	home: string,
	options: { url: string; code: string; name: string; share: Membership['share']; decide?: Membership['decide'] },
): Promise<{ membership: Membership; root: RootDocument; isPending: boolean }> {
	const { url, code, name, share, decide = 'watch' } = options;
	const place = hubAddress(url);
	const [, secret, fingerprint] = /^([A-Z2-7]{26})#([0-9a-f]{32})$/.exec(code) ?? [];
	if (secret === undefined || fingerprint === undefined) {
		throw new JoinRefused(
			'The code does not fit: copy the whole of it, with what stands behind the #, and put it in quotes.',
		);
	}
	const { privateKey, publicKey } = makeKey();
	const said = { code: secret, key: publicKey, name, version: packageVersion() };
	const joined = await ask(new URL('edge/join', `${place.href.replace(/\/?$/, '/')}`), said);
	const { edge, team, root, pending: isPending = false } = joined;
	if (rootFingerprint(root) !== fingerprint || root.origin !== place.origin) {
		throw new JoinRefused(
			'This is not the hub that the code was made for. Nothing is sent to it; ask its admin for a new code.',
		);
	}
	const membership = { url, edge, team, hub: root.name, share, decide, root };
	const why = whyNoLevel(membership, decide);
	if (why !== null) throw new JoinRefused(why);
	keepMembership(home, membership, privateKey);
	return { membership, root, isPending };
}

async function ask(url: URL, said: object): Promise<Joined> {
	const call = { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
	const headers = { 'content-type': 'application/json' };
	try {
		return Joined.parse(JSON.parse(await callService({ url: url.href, headers, body: JSON.stringify(said), ...call })));
	} catch (error) {
		if (error instanceof ServiceFailure && error.status === 403) {
			throw new JoinRefused('The hub does not take the code: it is used up, too old or mistyped. Ask for a new one.');
		}
		const why = error instanceof ServiceFailure ? error.message : 'what answers is no hub';
		throw new JoinRefused(`The hub at ${url.origin} could not be asked: ${why}.`);
	}
}
