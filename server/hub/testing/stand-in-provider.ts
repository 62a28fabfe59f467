import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import http from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from '../../process/free-port.ts';

const CLIENT = { id: 'signalbox', secret: 'a secret of the stand-in' };
const SCOPE = 'openid profile email groups';

/** The provider's claims about an account. */
export interface StandInAccount {
	name: string;
	email: string;
	groups: string[];
}

/** How a spoilt ID token is signed, if not with the provider's key. */
export type Signature = 'none' | 'another key' | 'the client’s secret';

/** Fields of an ID token. */
export type Claims = Record<string, unknown>;

/**
 * A stand-in for an organisation's OpenID provider: the certified `oidc-provider` on loopback, whose accounts sign in without a
 * page. `spoil` makes it issue ID tokens with other claims or another signature.
 */
export async function startStandInProvider() {
	const port = await freePort();
	const issuer = `http://127.0.0.1:${port}`;
	const accounts = new Map<string, StandInAccount>();
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const redirects: string[] = [];
	let who = '';
	let spoil: ((claims: Claims) => Claims) | undefined;
	let signature: Signature | undefined;
	let provider: Provider;
	let answer: http.RequestListener;

	function open() {
		provider = new Provider(issuer, {
			clients: [
				{
					...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirects] },
					...{ token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code'] },
				},
			],
			jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' } as never] },
			cookies: { keys: ['of the stand-in'] },
			claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
			pkce: { required: () => true },
			features: { devInteractions: { enabled: false } },
			interactions: { url: (_, { uid }) => `/interaction/${uid}` },
			ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
			findAccount: (_, accountId) => ({
				accountId,
				claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
			}),
			async loadExistingGrant({ oidc }) {
				const grant = new provider.Grant({
					clientId: oidc.client?.clientId ?? '',
					accountId: oidc.session?.accountId ?? '',
				});
				grant.addOIDCScope(SCOPE);
				await grant.save();
				return grant;
			},
		});
		answer = provider.callback();
	}

	/** Lets the provider answer a token request, and replaces its ID token by another. */
	async function answerSpoiled(request: http.IncomingMessage, response: http.ServerResponse, change: typeof spoil) {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const plain = await fetch(`${issuer}/token`, {
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-unspoiled': '1' },
			body: Buffer.concat(parts).toString(),
		});
		const body = (await plain.json()) as { id_token?: string };
		if (body.id_token !== undefined && change) body.id_token = signAgain(body.id_token, change, privateKey, signature);
		response.writeHead(plain.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
		response.end(JSON.stringify(body));
	}

	const server = http.createServer(async (request, response) => {
		if (request.url?.startsWith('/interaction/'))
			return provider.interactionFinished(request, response, { login: { accountId: who } });
		const isSpoiled = spoil && request.url === '/token' && request.headers['x-unspoiled'] === undefined;
		return isSpoiled ? answerSpoiled(request, response, spoil) : answer(request, response);
	});
	open();
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

	return {
		issuer,
		client: CLIENT,
		scope: SCOPE,
		accounts,
		/** Allows a hub at this address to send people here. */
		allow(hub: URL) {
			redirects.push(new URL('/login/oidc/callback', hub).href);
			open();
		},
		/** Sets who signs in from now on. */
		signInAs(account: string) {
			who = account;
		},
		spoil(change: typeof spoil, by?: Signature) {
			spoil = change;
			signature = by;
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function signAgain(
	token: string,
	change: (claims: Claims) => Claims,
	key: KeyObject,
	by: Signature | undefined,
): string {
	const [first = '', payload = ''] = token.split('.');
	const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const header =
		by === 'none' ? encoded({ alg: 'none' }) : by === 'the client’s secret' ? encoded({ alg: 'HS256' }) : first;
	const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims);
	const signed = `${header}.${encoded(claims)}`;
	if (by === 'none') return `${signed}.`;
	if (by === 'the client’s secret') {
		return `${signed}.${createHmac('sha256', CLIENT.secret).update(signed).digest('base64url')}`;
	}
	const signer = by === 'another key' ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : key;
	return `${signed}.${createSign('RSA-SHA256').update(signed).sign(signer).toString('base64url')}`;
}
