import * as z from 'zod';
import { Joined, type RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { printable } from '#lib/text/printable.ts';
import { callService, ServiceFailure } from '../connect/outgoing/call-service.ts';
import { makeKey, rootFingerprint } from '../hub-protocol/signatures.ts';
import { packageVersion } from '../process/package-root.ts';
import { type Membership, storeMembership, whyNoLevel } from './membership.ts';

const TIMEOUT_MS = 20_000;
const FINGERPRINT = /^[0-9a-f]{32}$/;

export class JoinRefused extends Error {}

/** Throws JoinRefused for plain http, except to this machine: the join code must not be read on the way. */
export function hubAddress(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) return url;
	throw new JoinRefused(
		`A hub is reached by https (or by http on this machine alone), but the address is ${JSON.stringify(text)}.`,
	);
}

export const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

export interface JoinTerms {
	name: string;
	share: Membership['share'];
	decide?: Membership['decide'];
}

export interface JoinedHub {
	membership: Membership;
	root: RootDocument;
	isPending: boolean;
}

/** `code` is `CODE#ROOT`; ROOT is the fingerprint of the hub's root document, which the hub cannot change later. */
export async function joinHub(
	home: string,
	{ url, code, ...terms }: JoinTerms & { url: string; code: string },
): Promise<JoinedHub> {
	const [, secret, fingerprint] = /^([A-Z2-7]{26})#([0-9a-f]{32})$/.exec(code) ?? [];
	const address = hubAddress(url);
	if (secret === undefined || fingerprint === undefined) {
		throw new JoinRefused(
			'The code does not fit: copy the whole of it, with what stands behind the #, and put it in quotes.',
		);
	}
	return joinBy(home, { url, place: address, fingerprint, proof: { code: secret } }, terms);
}

/** `url` is `URL#ROOT`, as the pipeline states it. */
export async function joinHubAsJob(
	home: string,
	{
		url: named,
		audience,
		tokenFor,
		...terms
	}: JoinTerms & { url: string; audience: string | undefined; tokenFor: (audience: string) => Promise<string> },
): Promise<JoinedHub> {
	const [url = '', fingerprint = ''] = named.split('#');
	const address = hubAddress(url);
	if (!FINGERPRINT.test(fingerprint)) {
		throw new JoinRefused(
			"Say which hub is meant, with its fingerprint: 'URL#ROOT', as `signalbox hub ci add` prints it.",
		);
	}
	const token = await tokenFor(audience ?? address.origin);
	return joinBy(home, { url, place: address, fingerprint, proof: { token } }, terms);
}

async function joinBy(
	home: string,
	hub: { url: string; place: URL; fingerprint: string; proof: { code: string } | { token: string } },
	{ name, share, decide = 'watch' }: JoinTerms,
): Promise<JoinedHub> {
	const { url, place: address, fingerprint, proof } = hub;
	const { privateKey, publicKey } = makeKey();
	const details = { ...proof, key: publicKey, name, version: packageVersion() };
	const joined = await ask(new URL('edge/join', `${address.href.replace(/\/?$/, '/')}`), details);
	const { edge, team, root, pending: isPending = false } = joined;
	if (rootFingerprint(root) !== fingerprint || root.origin !== address.origin) {
		throw new JoinRefused(
			'code' in proof
				? 'This is not the hub that the code was made for. Nothing is sent to it; ask its admin for a new code.'
				: 'This is not the hub whose fingerprint stands behind the #. Nothing more is sent to it; ask its admin.',
		);
	}
	const membership = { url, edge, team, hub: root.name, share, decide, root };
	const why = whyNoLevel(membership, decide);
	if (why !== null) throw new JoinRefused(why);
	storeMembership(home, membership, privateKey);
	return { membership, root, isPending };
}

async function ask(url: URL, credential: { token: string } | { code: string }): Promise<Joined> {
	const call = { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
	const headers = { 'content-type': 'application/json' };
	try {
		return Joined.parse(
			JSON.parse(await callService({ url: url.href, headers, body: JSON.stringify(credential), ...call })),
		);
	} catch (error) {
		if (error instanceof ServiceFailure && error.status === 403 && 'code' in credential) {
			throw new JoinRefused('The hub does not take the code: it is used up, too old or mistyped. Ask for a new one.');
		}
		const why = error instanceof ServiceFailure ? error.message : 'what answers is no hub';
		const words = error instanceof ServiceFailure ? wordsOf(error) : undefined;
		if (words !== undefined && 'token' in credential) throw new JoinRefused(`The hub does not take the job: ${words}`);
		throw new JoinRefused(`The hub at ${url.origin} could not be asked: ${why}.`);
	}
}

function wordsOf({ answer = '' }: ServiceFailure): string | undefined {
	try {
		return printable(z.object({ error: z.string() }).parse(JSON.parse(answer)).error, 400);
	} catch {
		return;
	}
}

type Environment = Readonly<Record<string, string | undefined>>;

const TOKEN_MS = 10_000;
const NAME = 80;
const Answer = z.object({ value: z.string().min(1) });

/** GitLab and others put the token into SIGNALBOX_ID_TOKEN; GitHub Actions gives it on request. */
export async function readJobToken(env: Environment, audience: string): Promise<string> {
	const { SIGNALBOX_ID_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = env;
	if (SIGNALBOX_ID_TOKEN) return SIGNALBOX_ID_TOKEN.trim();
	if (!ACTIONS_ID_TOKEN_REQUEST_URL || !ACTIONS_ID_TOKEN_REQUEST_TOKEN) {
		throw new JoinRefused(
			env.GITHUB_ACTIONS === 'true'
				? 'This job may not ask for a token: give it `permissions: { id-token: write }`.'
				: 'No token of a CI job is here: in GitLab name one SIGNALBOX_ID_TOKEN under `id_tokens`.',
		);
	}
	const url = hubAddress(ACTIONS_ID_TOKEN_REQUEST_URL);
	url.searchParams.set('audience', audience);
	try {
		const answer = await callService({
			url: url.href,
			method: 'GET',
			timeoutMs: TOKEN_MS,
			signal: new AbortController().signal,
			headers: { authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}`, accept: 'application/json' },
		});
		return Answer.parse(JSON.parse(answer)).value;
	} catch (error) {
		const why = error instanceof ServiceFailure ? error.message : 'its answer holds no token';
		throw new JoinRefused(`GitHub Actions gave the job no token: ${why}.`);
	}
}

export function jobName({
	GITHUB_REPOSITORY,
	GITHUB_RUN_ID,
	CI_PROJECT_PATH,
	CI_JOB_ID,
}: Environment): string | undefined {
	const name = [GITHUB_REPOSITORY ?? CI_PROJECT_PATH, GITHUB_RUN_ID ?? CI_JOB_ID].filter(Boolean).join(' ');
	return name === '' ? undefined : name.slice(-NAME).trim();
}
