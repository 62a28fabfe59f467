import { generateKeyPairSync, randomUUID } from 'node:crypto';
import http from 'node:http';
import { exportJWK, SignJWT } from 'jose';
import { freePort } from '../../process/free-port.ts';

/** The secret with which a job asks GitHub Actions for its token. */
const REQUEST_TOKEN = 'a request token of the stand-in';

/** Claims as GitHub Actions sets them; the argument changes some, and removes those that are undefined in it. */
export type JobClaims = Readonly<Record<string, unknown>>;

/**
 * A stand-in for the issuer of CI jobs' tokens, on loopback: its metadata, its keys, and the address at which a job of GitHub
 * Actions requests a token.
 */
export async function startStandInIssuer() {
	const port = await freePort();
	const issuer = `http://127.0.0.1:${port}`;
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const requests: string[] = [];
	let isAway = false;
	let discovered: object = { issuer, jwks_uri: `${issuer}/keys` };
	let padding = '';

	/** Signs claims like those of a job of `org/shop`, for five minutes. */
	function tokenOf(claims: JobClaims, { key = privateKey, kid = 'one' } = {}): Promise<string> {
		const second = Math.floor(Date.now() / 1000);
		const usual = {
			...{ iss: issuer, aud: 'https://hub.example', sub: 'repo:org/shop:ref:refs/heads/main', jti: randomUUID() },
			...{ iat: second, nbf: second, exp: second + 300 },
			...{ repository: 'Org/Shop', repository_id: '4711', ref: 'refs/heads/main' },
		};
		return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(key);
	}

	async function answer(url: URL, authorization: string | undefined): Promise<object | undefined> {
		if (url.pathname === '/.well-known/openid-configuration') return discovered;
		if (url.pathname === '/keys')
			return { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }], padding };
		if (url.pathname === '/job' && authorization === `Bearer ${REQUEST_TOKEN}`)
			return { value: await tokenOf({ aud: url.searchParams.get('audience') }) };
		return;
	}

	const server = http.createServer(async (request, response) => {
		const url = new URL(request.url ?? '/', issuer);
		requests.push(url.pathname);
		const body = isAway ? undefined : await answer(url, request.headers.authorization);
		response.writeHead(isAway ? 500 : body ? 200 : 404, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body ?? {}));
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

	return {
		issuer,
		publicKey,
		tokenOf,
		/** The paths that were requested. */
		asked: requests,
		/** What a job of GitHub Actions has in its environment. */
		env: {
			GITHUB_ACTIONS: 'true',
			GITHUB_REPOSITORY: 'Org/Shop',
			GITHUB_RUN_ID: '99',
			ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/job?api-version=2.0`,
			ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
		},
		away(is: boolean) {
			isAway = is;
		},
		describe(by: object) {
			discovered = { issuer, jwks_uri: `${issuer}/keys`, ...by };
		},
		/** Adds so many characters to its keys. */
		pad(characters: number) {
			padding = 'x'.repeat(characters);
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export type StandInIssuer = Awaited<ReturnType<typeof startStandInIssuer>>;
